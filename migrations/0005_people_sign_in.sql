CREATE TABLE `ceremony` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ceremony_expires` ON `ceremony` (`expires_at`);--> statement-breakpoint
CREATE TABLE `linked_identity` (
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`provider`, `subject`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `linked_identity_account` ON `linked_identity` (`account_id`,`provider`);--> statement-breakpoint
CREATE TABLE `passkey` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE INDEX `passkey_account` ON `passkey` (`account_id`);--> statement-breakpoint
CREATE TABLE `password` (
	`account_id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`hash` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_email` ON `password` (`email_key`);--> statement-breakpoint
CREATE TABLE `recovery_code` (
	`code_sha256` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_code_account` ON `recovery_code` (`account_id`);--> statement-breakpoint
CREATE TABLE `session` (
	`id` text PRIMARY KEY NOT NULL,
	`token_sha256` text NOT NULL,
	`account_id` text NOT NULL,
	`device` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_token` ON `session` (`token_sha256`);--> statement-breakpoint
CREATE INDEX `session_account` ON `session` (`account_id`);--> statement-breakpoint
CREATE TABLE `used_setup_code` (
	`code_sha256` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `wrong_answer` (
	`name_sha256` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	`heard_from` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `wrong_answer_last` ON `wrong_answer` (`last_at`);