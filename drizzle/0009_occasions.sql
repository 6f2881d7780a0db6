-- Tables that are rebuilt may not be named by a view or a trigger meanwhile.
DROP VIEW balance;
DROP TRIGGER event_of_a_new_user;
DROP TRIGGER event_of_a_changed_user;
DROP TRIGGER event_of_a_redemption;
DROP TRIGGER event_of_an_answer;
DROP VIEW new_events;

-- Points of an occasion are a transaction of a kind of their own. Points can be added to an occasion too: adds_to then is its
-- id, negative, as in reactions.
CREATE TABLE new_transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  from_id INTEGER NOT NULL REFERENCES users (id),
  value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 9007199254740991),
  date INTEGER NOT NULL,
  user_prev INTEGER NOT NULL CHECK (user_prev BETWEEN 0 AND id - 1),
  from_prev INTEGER NOT NULL CHECK (from_prev BETWEEN 0 AND id - 1),
  -- SQLite builds a table for a longer IN each time; nearly every transaction is a transfer, and stops before it.
  kind TEXT NOT NULL CHECK (
    kind = 'transfer' OR kind IN ('grant', 'allowance', 'expiry', 'redemption', 'refund', 'reversal', 'occasion')
  ),
  -- The transaction whose points a reversal moves back.
  reverses INTEGER REFERENCES transactions (id) CHECK (reverses < id),
  -- The first of the adjacent transfers with which the sender thanked several people at once.
  group_id INTEGER REFERENCES transactions (id),
  commitment BLOB CHECK (length(commitment) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  -- The entry of the feed to whose receivers the transfer adds points: its transaction, of a group the first; or, negative, an
  -- occasion.
  adds_to INTEGER
    CHECK (adds_to IS NULL OR adds_to < id AND kind = 'transfer' AND user_id <> from_id AND group_id IS NULL),
  added_transaction INTEGER GENERATED ALWAYS AS (CASE WHEN adds_to >= 0 THEN adds_to END) VIRTUAL REFERENCES transactions (id),
  added_occasion INTEGER GENERATED ALWAYS AS (CASE WHEN adds_to < 0 THEN -adds_to END) VIRTUAL REFERENCES occasions (id),
  CHECK ((kind = 'reversal') = (reverses IS NOT NULL)),
  CHECK (group_id IS NULL OR group_id <= id AND kind = 'transfer' AND user_id <> from_id)
) STRICT;
INSERT INTO new_transactions (id, user_id, from_id, value, date, user_prev, from_prev, kind, reverses, group_id, commitment, hash, adds_to)
  SELECT id, user_id, from_id, value, date, user_prev, from_prev, kind, reverses, group_id, commitment, hash, adds_to
  FROM transactions;
DROP TABLE transactions;
ALTER TABLE new_transactions RENAME TO transactions;

CREATE INDEX transactions_by_reversed ON transactions (reverses) WHERE reverses IS NOT NULL;
CREATE INDEX transactions_by_group ON transactions (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX transactions_by_added ON transactions (adds_to) WHERE adds_to IS NOT NULL;

CREATE TRIGGER transactions_are_never_modified BEFORE UPDATE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never modified');
END;

CREATE TRIGGER transactions_are_never_deleted BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never deleted');
END;

-- INSERT OR REPLACE would delete without firing the trigger above.
CREATE TRIGGER transactions_only_ascend BEFORE INSERT ON transactions
WHEN NEW.id <= (SELECT last_id FROM ledger_state)
BEGIN
  SELECT RAISE(ABORT, 'ids of transactions ascend');
END;

CREATE VIEW balance AS
SELECT b.user_id, b.value, t.date AS updated_at
FROM balances b JOIN transactions t ON t.id = max(b.last_received, b.last_sent, b.last_self);

-- Birthdays, anniversaries and first days that were celebrated: each is an entry of the feed, with or without points. The ids
-- share the order of notifications with replies (src/domain/recognition/notifications.ts). Where reactions, replies and
-- adds_to name an entry of the feed, a negative number is an occasion.
CREATE TABLE occasions (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN ('birthday', 'anniversary', 'first_day')),
  year INTEGER NOT NULL,
  -- Of an anniversary.
  years INTEGER CHECK (years > 0),
  -- With the places {name} and {years}, which are filled in when it is read.
  text TEXT NOT NULL CHECK (text <> ''),
  date INTEGER NOT NULL,
  -- Its points; NULL for none.
  transaction_id INTEGER UNIQUE REFERENCES transactions (id),
  -- Each is celebrated once, whatever happens.
  UNIQUE (user_id, kind, year),
  CHECK ((kind = 'anniversary') = (years IS NOT NULL))
) STRICT;

CREATE TABLE new_reactions (
  -- The entry of the feed: its transaction, of a group the first; or, negative, an occasion.
  transaction_id INTEGER NOT NULL CHECK (transaction_id <> 0),
  emoji TEXT NOT NULL CHECK (emoji <> ''),
  user_id INTEGER NOT NULL REFERENCES users (id),
  of_transaction INTEGER
    GENERATED ALWAYS AS (CASE WHEN transaction_id > 0 THEN transaction_id END) VIRTUAL REFERENCES transactions (id),
  of_occasion INTEGER
    GENERATED ALWAYS AS (CASE WHEN transaction_id < 0 THEN -transaction_id END) VIRTUAL REFERENCES occasions (id),
  PRIMARY KEY (transaction_id, emoji, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_reactions (transaction_id, emoji, user_id) SELECT transaction_id, emoji, user_id FROM reactions;
DROP TABLE reactions;
ALTER TABLE new_reactions RENAME TO reactions;

CREATE INDEX reactions_by_user ON reactions (user_id);

CREATE TABLE new_replies (
  id INTEGER PRIMARY KEY,
  -- As in reactions.
  transaction_id INTEGER NOT NULL CHECK (transaction_id <> 0),
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- NULL once it was deleted: the row stays, so that its id is not used again.
  text TEXT CHECK (text <> ''),
  date INTEGER NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  of_transaction INTEGER
    GENERATED ALWAYS AS (CASE WHEN transaction_id > 0 THEN transaction_id END) VIRTUAL REFERENCES transactions (id),
  of_occasion INTEGER
    GENERATED ALWAYS AS (CASE WHEN transaction_id < 0 THEN -transaction_id END) VIRTUAL REFERENCES occasions (id)
) STRICT;
INSERT INTO new_replies (id, transaction_id, user_id, text, date, hidden)
  SELECT id, transaction_id, user_id, text, date, hidden FROM replies;
DROP TABLE replies;
ALTER TABLE new_replies RENAME TO replies;

CREATE INDEX replies_by_transaction ON replies (transaction_id, id);
CREATE INDEX replies_by_user ON replies (user_id);

CREATE TABLE new_events (
  -- That of its last event.
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN (
    'transactions', 'user.created', 'user.updated', 'user.deactivated',
    'redemption.requested', 'redemption.fulfilled', 'redemption.declined', 'occasion.celebrated'
  )),
  -- A user, a redemption, an occasion, or the last of the transactions.
  subject INTEGER NOT NULL,
  count INTEGER NOT NULL DEFAULT 1 CHECK (count > 0 AND (count = 1 OR type = 'transactions')),
  at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
INSERT INTO new_events SELECT * FROM events;
DROP TABLE events;
ALTER TABLE new_events RENAME TO events;

CREATE INDEX events_by_time ON events (at);

CREATE VIEW new_events (type, subject) AS SELECT type, subject FROM events;

CREATE TRIGGER event_after_its_causes INSTEAD OF INSERT ON new_events
BEGIN
  INSERT INTO events (id, type, subject, count)
    SELECT last_id + newest - last_transaction, 'transactions', newest, newest - last_transaction
    FROM event_state, (SELECT max(id) AS newest FROM transactions) WHERE newest > last_transaction;
  UPDATE event_state SET last_id = last_id + newest - last_transaction, last_transaction = newest
    FROM (SELECT max(id) AS newest FROM transactions) WHERE newest > last_transaction;
  UPDATE event_state SET last_id = last_id + 1;
  INSERT INTO events (id, type, subject) SELECT last_id, NEW.type, NEW.subject FROM event_state;
END;

CREATE TRIGGER event_of_a_new_user AFTER INSERT ON users
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('user.created', NEW.id);
END;

CREATE TRIGGER event_of_a_changed_user AFTER UPDATE OF username, name, email, dept, deactivated_at ON users
WHEN (NEW.username, NEW.name, NEW.email, NEW.dept, NEW.deactivated_at IS NULL)
  <> (OLD.username, OLD.name, OLD.email, OLD.dept, OLD.deactivated_at IS NULL)
BEGIN
  INSERT INTO new_events (type, subject) VALUES (
    iif(OLD.deactivated_at IS NULL AND NEW.deactivated_at IS NOT NULL, 'user.deactivated', 'user.updated'), NEW.id
  );
END;

CREATE TRIGGER event_of_a_redemption AFTER INSERT ON redemptions
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('redemption.requested', NEW.id);
END;

CREATE TRIGGER event_of_an_answer AFTER UPDATE OF state ON redemptions WHEN NEW.state <> OLD.state
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('redemption.' || NEW.state, NEW.id);
END;

CREATE TRIGGER event_of_an_occasion AFTER INSERT ON occasions
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('occasion.celebrated', NEW.id);
END;
