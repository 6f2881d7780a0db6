-- From where each account was logged in to: guesses from elsewhere keep nobody out there.
CREATE TABLE login_sources (
  user_id INTEGER NOT NULL REFERENCES users (id),
  source TEXT NOT NULL CHECK (source <> ''),
  used_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX login_sources_by_time ON login_sources (used_at);
