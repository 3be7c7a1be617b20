CREATE TABLE `report` (
	`task_id` text NOT NULL,
	`at` integer NOT NULL,
	`tool_id` text NOT NULL,
	`version_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`met` integer NOT NULL,
	`note` text,
	`job` text,
	`day` text NOT NULL,
	`weight` integer NOT NULL,
	`grown` real NOT NULL,
	PRIMARY KEY(`task_id`, `at`)
);
--> statement-breakpoint
CREATE INDEX `report_reporter` ON `report` (`tool_id`,`account_id`,`weight`);--> statement-breakpoint
CREATE INDEX `report_tool_met` ON `report` (`tool_id`,`weight`,`met`,`at`);--> statement-breakpoint
CREATE TABLE `version_account` (
	`version_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`contract_passed` integer DEFAULT 0 NOT NULL,
	`reported_met` integer DEFAULT 0 NOT NULL,
	`reported_failed` integer DEFAULT 0 NOT NULL,
	`met_grown` real DEFAULT 0 NOT NULL,
	`failed_grown` real DEFAULT 0 NOT NULL,
	PRIMARY KEY(`version_id`, `account_id`)
);
--> statement-breakpoint
CREATE TABLE `version_record` (
	`version_id` integer PRIMARY KEY NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`contract_passed` integer DEFAULT 0 NOT NULL,
	`accounts` integer DEFAULT 0 NOT NULL,
	`reported_met` integer DEFAULT 0 NOT NULL,
	`reported_failed` integer DEFAULT 0 NOT NULL,
	`reporters` integer DEFAULT 0 NOT NULL,
	`met_grown` real DEFAULT 0 NOT NULL,
	`failed_grown` real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `account` ADD `handle_fixed_at` integer;--> statement-breakpoint
ALTER TABLE `tool` ADD `published_version_id` integer;--> statement-breakpoint
ALTER TABLE `tool` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `tool` ADD `publishing_task_id` text;--> statement-breakpoint
ALTER TABLE `tool` ADD `next_check_at` integer;--> statement-breakpoint
ALTER TABLE `tool` ADD `check_task_id` text;--> statement-breakpoint
ALTER TABLE `tool` ADD `check_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tool` ADD `check_failed_since` integer;--> statement-breakpoint
CREATE INDEX `tool_next_check_at` ON `tool` (`next_check_at`);--> statement-breakpoint
CREATE INDEX `tool_published_version` ON `tool` (`published_version_id`);--> statement-breakpoint
ALTER TABLE `tool_version` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `tool_version` ADD `similar_to` text;--> statement-breakpoint
ALTER TABLE `tool_version` ADD `promise` text;--> statement-breakpoint
ALTER TABLE `tool_version` ADD `deleted_at` integer;