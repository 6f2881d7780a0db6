-- A hash of the log-in at the provider that opened a session, by which the provider ends it. NULL: none, or not known.
ALTER TABLE sessions ADD COLUMN provided_by TEXT COLLATE "C";

CREATE INDEX sessions_by_login ON sessions (provided_by) WHERE provided_by IS NOT NULL;
