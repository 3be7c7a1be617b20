CREATE INDEX `tool_slug` ON `tool` (`slug_key`);--> statement-breakpoint
CREATE INDEX `tool_version_label` ON `tool_version` (lower("label"));