-- The full-text index of the versions that can be found; rowid is tool_version.id. Filled in the same batch as the
-- version, never by triggers (remote migrations cannot carry them). Rebuildable: it holds no text of its own.
CREATE VIRTUAL TABLE `tool_search` USING fts5(
	name, provider, descr, params, jobs,
	content='', contentless_delete=1,
	tokenize='porter unicode61 remove_diacritics 2'
);
