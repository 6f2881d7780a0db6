-- What a sender says to a transaction: one row for those that have anything of it, as unchangeable as they are, and
-- under the transaction's hash (docs/chain.md).
CREATE TABLE notes (
  transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id),
  reason TEXT NOT NULL,
  -- Words, one space between them.
  tags TEXT NOT NULL CHECK (instr(tags, char(10)) = 0),
  private INTEGER NOT NULL CHECK (private IN (0, 1)),
  CHECK (reason <> '' OR tags <> ''),
  CHECK (private = 0 OR reason <> '')
) STRICT;

CREATE TRIGGER notes_are_never_modified BEFORE UPDATE ON notes
BEGIN
  SELECT RAISE(ABORT, 'what was said to a transaction is never modified');
END;

CREATE TRIGGER notes_are_never_deleted BEFORE DELETE ON notes
BEGIN
  SELECT RAISE(ABORT, 'what was said to a transaction is never deleted');
END;

-- The state of the ledger is written behind the transactions of a commit. INSERT OR REPLACE would delete without asking
-- the trigger above.
CREATE TRIGGER notes_come_with_their_transaction BEFORE INSERT ON notes
WHEN NEW.transaction_id <= (SELECT last_id FROM ledger_state)
BEGIN
  SELECT RAISE(ABORT, 'nothing is said to a transaction afterwards');
END;

-- What a sender may ask for again, for a day, without having it done again.
CREATE TABLE idempotency_keys (
  user_id INTEGER NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- What it made: the first of them, and how many side by side.
  transaction_id INTEGER NOT NULL REFERENCES transactions (id),
  transaction_count INTEGER NOT NULL CHECK (transaction_count > 0),
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
