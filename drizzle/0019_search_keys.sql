-- Finding people is a statement: the names of each, as searches compare them, in place of a directory in memory.
DROP TRIGGER people_added;
DROP TRIGGER people_changed;
DROP TABLE people_changes;

-- The words of the name and the username without case and accents, each behind \x01 (searchKey in
-- src/domain/people/people-search.ts). NULL: unknown, and found out before the next search.
ALTER TABLE users ADD COLUMN search_key TEXT;

CREATE INDEX users_without_search_key ON users (id) WHERE search_key IS NULL;
-- With what a search compares, so that only people who are shown are read from the table.
CREATE INDEX users_by_search_key ON users (search_key, id, dept, deactivated_at);
DROP INDEX users_by_dept;
CREATE INDEX users_by_dept ON users (dept, id, deactivated_at);
CREATE INDEX users_deactivated ON users (id) WHERE deactivated_at IS NOT NULL;

DROP INDEX users_whole;
CREATE INDEX users_whole ON users (
  id, email, email_key, username, username_key, avatar, bio, password, name, dept, currency, access_version, refresh_version,
  kept_token, deactivated_at, erased_at, birthday, joined, celebrates, manager_id, duties, search_key
);

-- Somebody who changes a name by hand need not know of the key.
CREATE TRIGGER search_key_of_a_changed_name AFTER UPDATE OF username, name ON users
WHEN NEW.search_key IS OLD.search_key AND (NEW.username <> OLD.username OR NEW.name <> OLD.name)
BEGIN
  UPDATE users SET search_key = NULL WHERE id = NEW.id;
END;
