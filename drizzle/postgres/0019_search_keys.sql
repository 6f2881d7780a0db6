-- Finding people is a statement: the names of each, as searches compare them, in place of a directory in memory.
COMMENT ON TABLE people_changes IS 'for processes of 0.1.0 alone; a later release drops it';
COMMENT ON TABLE people_revision IS 'for processes of 0.1.0 alone; a later release drops it';

-- The words of the name and the username without case and accents, each behind \x01 (searchKey in
-- src/domain/people/people-search.ts). NULL: unknown, and found out before the next search.
ALTER TABLE users ADD COLUMN search_key text COLLATE "C";

CREATE INDEX users_without_search_key ON users (id) WHERE search_key IS NULL;

-- Processes of 0.1.0, and somebody who changes a name by hand, do not know of the key.
CREATE FUNCTION forget_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_key := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER search_key_of_a_changed_name BEFORE UPDATE OF username, name ON users
FOR EACH ROW WHEN (
  NEW.search_key IS NOT DISTINCT FROM OLD.search_key AND (NEW.username <> OLD.username OR NEW.name <> OLD.name)
) EXECUTE FUNCTION forget_search_key();
