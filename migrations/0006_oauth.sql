CREATE TABLE `oauth_entry` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`metadata` text,
	`expires_at` integer,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_entry_expires_at` ON `oauth_entry` (`expires_at`);