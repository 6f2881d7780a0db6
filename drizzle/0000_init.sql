-- "rwds": a file with another mark, or with tables and no mark, belongs to somebody else and is left alone.
PRAGMA application_id = 1920427123;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL CONSTRAINT users_email_key UNIQUE,
  username TEXT NOT NULL CONSTRAINT users_username UNIQUE,
  avatar TEXT,
  bio TEXT,
  password TEXT NOT NULL CHECK (length(password) = 60),
  name TEXT NOT NULL CHECK (name <> ''),
  dept TEXT NOT NULL CHECK (dept <> ''),
  currency TEXT NOT NULL CHECK (currency <> ''),
  access_version INTEGER NOT NULL DEFAULT 0,
  refresh_version INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  from_id INTEGER NOT NULL REFERENCES users (id),
  value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 9007199254740991),
  date INTEGER NOT NULL
) STRICT;

CREATE INDEX transactions_by_receiver ON transactions (user_id);
CREATE INDEX transactions_by_sender ON transactions (from_id);

CREATE TRIGGER transactions_are_never_modified BEFORE UPDATE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never modified');
END;

CREATE TRIGGER transactions_are_never_deleted BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never deleted');
END;

-- INSERT OR REPLACE would delete without asking the trigger above.
CREATE TRIGGER transactions_only_ascend BEFORE INSERT ON transactions
WHEN NEW.id <= (SELECT last_id FROM ledger_state)
BEGIN
  SELECT RAISE(ABORT, 'ids of transactions ascend');
END;

CREATE TABLE balances (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  value INTEGER NOT NULL CHECK (value BETWEEN -9007199254740991 AND 9007199254740991),
  updated_at INTEGER NOT NULL,
  received_count INTEGER NOT NULL CHECK (received_count >= 0),
  sent_count INTEGER NOT NULL CHECK (sent_count >= 0)
) STRICT;

-- How many transactions went from one user to another: totals of pages are looked up, never counted.
CREATE TABLE pair_counts (
  from_id INTEGER NOT NULL REFERENCES users (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (from_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  transaction_count INTEGER NOT NULL CHECK (transaction_count >= 0),
  last_id INTEGER NOT NULL,
  last_date INTEGER NOT NULL
) STRICT;

INSERT INTO ledger_state (id, transaction_count, last_id, last_date) VALUES (1, 0, 0, 0);

CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_username ON sessions (username);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE spent_tokens (
  token_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  state TEXT NOT NULL CHECK (state IN ('available', 'running', 'completed', 'discarded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL CHECK (max_attempts > 0),
  run_at INTEGER NOT NULL,
  locked_by TEXT,
  locked_until INTEGER,
  last_error TEXT,
  result TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  CHECK ((state = 'running') = (locked_by IS NOT NULL)),
  CHECK ((locked_by IS NULL) = (locked_until IS NULL)),
  CHECK ((state IN ('completed', 'discarded')) = (finished_at IS NOT NULL))
) STRICT;

-- When a job may next be claimed: available ones at run_at, running ones when their lease is over.
CREATE INDEX jobs_by_due ON jobs (coalesce(locked_until, run_at)) WHERE finished_at IS NULL;
CREATE INDEX jobs_by_finish ON jobs (finished_at) WHERE finished_at IS NOT NULL;
