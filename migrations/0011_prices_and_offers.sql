CREATE TABLE `offer` (
	`price_id` text NOT NULL,
	`account_id` text NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`until` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`price_id`, `account_id`)
);
--> statement-breakpoint
CREATE TABLE `paid_run` (
	`price_id` text NOT NULL,
	`account_id` text NOT NULL,
	`number` integer NOT NULL,
	`task_id` text NOT NULL,
	`counted_at` integer NOT NULL,
	PRIMARY KEY(`price_id`, `account_id`, `number`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `paid_run_task` ON `paid_run` (`task_id`);--> statement-breakpoint
CREATE TABLE `payment` (
	`checkout_id` text PRIMARY KEY NOT NULL,
	`price_id` text NOT NULL,
	`account_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`paid_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_offer` ON `payment` (`price_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `price` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`slug` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`per` text NOT NULL,
	`created_at` integer NOT NULL,
	`withdrawn_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `price_account_slug` ON `price` (`account_id`,`slug`);--> statement-breakpoint
CREATE TABLE `tool_price` (
	`tool_id` text PRIMARY KEY NOT NULL,
	`price_id` text NOT NULL
);
