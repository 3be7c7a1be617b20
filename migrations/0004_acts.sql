CREATE TABLE `act` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text,
	`via_kind` text,
	`via_id` text,
	`via_name` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `act_account` ON `act` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `act_at` ON `act` (`at`);