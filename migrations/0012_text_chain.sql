ALTER TABLE `tool_version` ADD `text_chain` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `tool_version_text_chain` ON `tool_version` (`text_chain`,`tool_id`);