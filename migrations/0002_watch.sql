CREATE TABLE `watch` (
	`account_id` text PRIMARY KEY NOT NULL,
	`poke_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `watch_poke_at` ON `watch` (`poke_at`);