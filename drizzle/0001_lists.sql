-- Each transaction carries its place in three lists (see forest.ts), and a hash over its predecessor's and its own
-- fields (see chain.ts): what a page needs stands in the row itself, and nothing of the past is written again.
-- Indexes and counters of pairs, which wrote a random page for each transaction, make room. The rows follow from
-- old_transactions in the backfill.
DROP TRIGGER transactions_are_never_modified;
DROP TRIGGER transactions_are_never_deleted;
DROP TRIGGER transactions_only_ascend;
DROP INDEX transactions_by_receiver;
DROP INDEX transactions_by_sender;
DROP TABLE pair_counts;

ALTER TABLE transactions RENAME TO old_transactions;

-- prev and jump are ids, 0 where there is none.
CREATE TABLE transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  from_id INTEGER NOT NULL REFERENCES users (id),
  value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 9007199254740991),
  date INTEGER NOT NULL,
  user_prev INTEGER NOT NULL,
  user_jump INTEGER NOT NULL,
  user_min INTEGER NOT NULL,
  user_max INTEGER NOT NULL,
  from_prev INTEGER NOT NULL,
  from_jump INTEGER NOT NULL,
  from_min INTEGER NOT NULL,
  from_max INTEGER NOT NULL,
  all_min INTEGER NOT NULL,
  all_max INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

ALTER TABLE balances ADD COLUMN self_count INTEGER NOT NULL DEFAULT 0 CHECK (self_count >= 0);
ALTER TABLE balances ADD COLUMN last_received INTEGER NOT NULL DEFAULT 0;
ALTER TABLE balances ADD COLUMN last_sent INTEGER NOT NULL DEFAULT 0;

ALTER TABLE ledger_state ADD COLUMN last_hash BLOB NOT NULL
  DEFAULT X'0000000000000000000000000000000000000000000000000000000000000000' CHECK (length(last_hash) = 32);
