-- One history for both databases: ordinary indexes and counters in place of lists, blocks and links.
DROP TABLE blocks;
DROP VIEW balance;
ALTER TABLE transactions DROP COLUMN user_prev;
ALTER TABLE transactions DROP COLUMN from_prev;
ALTER TABLE balances DROP COLUMN last_received;
ALTER TABLE balances DROP COLUMN last_sent;
ALTER TABLE balances DROP COLUMN last_self;

-- Order by date is order by id. Each index also has what a page skips, sorts or compares, so that only the rows of the page are read
-- from the table. One index for each filter and order would cost a third of the transfers; these columns cost none.
CREATE INDEX transactions_by_user ON transactions (user_id, id, value, from_id);
CREATE INDEX transactions_by_from ON transactions (from_id, id, value, user_id);
CREATE INDEX transactions_by_value ON transactions (value, id, user_id, from_id);
-- Transfers are most of them; the other kinds are found without reading all.
CREATE INDEX transactions_by_kind ON transactions (kind) WHERE kind <> 'transfer';

-- Balances with the time of their last change, for people who read the database. The server does not use it.
CREATE VIEW balance AS
SELECT user_id, value, max(
  coalesce((SELECT date FROM transactions t WHERE t.user_id = b.user_id ORDER BY id DESC LIMIT 1), 0),
  coalesce((SELECT date FROM transactions t WHERE t.from_id = b.user_id ORDER BY id DESC LIMIT 1), 0)
) AS updated_at
FROM balances b WHERE received_count + sent_count + self_count > 0;

-- How many transactions one user has sent to another: exact totals, and places in the order of usernames.
CREATE TABLE pairs (
  from_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (from_id, user_id)
) STRICT, WITHOUT ROWID;

INSERT INTO pairs (from_id, user_id, count)
SELECT from_id, user_id, count(*) FROM transactions GROUP BY from_id, user_id;

CREATE INDEX pairs_by_user ON pairs (user_id);

-- Another one after every commit that changes balances, or that deactivates or reactivates somebody: the accounts that a
-- process knows hold while this stays the same.
ALTER TABLE ledger_state ADD COLUMN revision TEXT NOT NULL DEFAULT '';

CREATE TRIGGER accounts_change_with_a_deactivation AFTER UPDATE OF deactivated_at ON users
WHEN NEW.deactivated_at IS NOT OLD.deactivated_at
BEGIN
  UPDATE ledger_state SET revision = hex(randomblob(16));
END;

-- Another one after every change of a user, and after every end of a session: what a process knows of them holds while this
-- stays the same.
ALTER TABLE access_changes ADD COLUMN revision TEXT NOT NULL DEFAULT '';

CREATE TRIGGER users_known_change AFTER UPDATE ON users
BEGIN
  UPDATE access_changes SET revision = hex(randomblob(16));
END;

CREATE TRIGGER sessions_known_change AFTER DELETE ON sessions
BEGIN
  UPDATE access_changes SET revision = hex(randomblob(16));
END;

-- When the server that answers was started: nothing here, where each process reads the file itself.
CREATE VIEW server_start AS SELECT CAST('' AS TEXT) AS at;
