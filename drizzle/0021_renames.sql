-- Former usernames, a row for each change. Until `until` nobody else can have the name, and it leads to its former owner. Later the
-- row says only whose the entries of the audit log under this name are.
CREATE TABLE renames (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  username TEXT NOT NULL,
  -- As in users.
  username_key TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;

CREATE INDEX renames_by_user ON renames (user_id);
CREATE INDEX renames_by_username ON renames (username);
CREATE INDEX renames_by_username_key ON renames (username_key);

-- A change of a username is an event. A table that is rebuilt may not be named by a view or a trigger meanwhile.
DROP TRIGGER event_of_a_new_user;
DROP TRIGGER event_of_a_changed_user;
DROP TRIGGER event_of_a_redemption;
DROP TRIGGER event_of_an_answer;
DROP TRIGGER event_of_an_occasion;
DROP VIEW new_events;

CREATE TABLE new_events (
  -- That of its last event.
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN (
    'transactions', 'user.created', 'user.updated', 'user.renamed', 'user.deactivated',
    'redemption.requested', 'redemption.fulfilled', 'redemption.declined', 'occasion.celebrated'
  )),
  -- A user, a change of a username, a redemption, an occasion, or the last of the transactions.
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

CREATE TRIGGER event_of_a_rename AFTER INSERT ON renames
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('user.renamed', NEW.id);
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
