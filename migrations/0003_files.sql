CREATE TABLE `file` (
	`account_id` text NOT NULL,
	`path` text NOT NULL,
	`search_key` text NOT NULL,
	`hash` text NOT NULL,
	`media_type` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `path`)
);
--> statement-breakpoint
CREATE INDEX `file_hash` ON `file` (`hash`);--> statement-breakpoint
CREATE TABLE `file_bytes` (
	`hash` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`whole_at` integer,
	`touched_at` integer NOT NULL,
	`doomed_at` integer,
	`dropping_at` integer
);
--> statement-breakpoint
CREATE INDEX `file_bytes_touched_at` ON `file_bytes` (`touched_at`);--> statement-breakpoint
CREATE INDEX `file_bytes_doomed_at` ON `file_bytes` (`doomed_at`);--> statement-breakpoint
CREATE TABLE `file_upload` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`path` text NOT NULL,
	`r2_upload` text,
	`hash` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_upload_expires_at` ON `file_upload` (`expires_at`);--> statement-breakpoint
CREATE TABLE `file_upload_part` (
	`upload_id` text NOT NULL,
	`number` integer NOT NULL,
	`etag` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`upload_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `file_use` (
	`holder` text NOT NULL,
	`hash` text NOT NULL,
	`account_id` text NOT NULL,
	`path` text NOT NULL,
	PRIMARY KEY(`holder`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `file_use_hash` ON `file_use` (`hash`);--> statement-breakpoint
CREATE INDEX `file_use_account` ON `file_use` (`account_id`,`hash`);