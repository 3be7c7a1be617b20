-- The full-text indexes of the versions that can be found; rowid is tool_version.id. Two, so that words of private tools
-- change nothing for others: `published_search` holds what every account may find, `own_search` the newest version of
-- every tool, each word behind the key of its account, so that a search reads that account's rows and no others.
-- Words are stems already, made by the same code for the index and for a job. Filled in the same batch as the version,
-- never by triggers (remote migrations cannot carry them). `tool_search` is left for Workers of the version before.
CREATE VIRTUAL TABLE `published_search` USING fts5(
	name, provider, descr, params, jobs, places,
	tokenize='unicode61 remove_diacritics 0'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `published_words` USING fts5vocab('published_search', 'row');
--> statement-breakpoint
CREATE VIRTUAL TABLE `own_search` USING fts5(
	name, provider, descr, params, jobs, places,
	tokenize='unicode61 remove_diacritics 0'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `own_words` USING fts5vocab('own_search', 'row');
