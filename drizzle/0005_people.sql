-- Who changed since when: the search for people follows it (see directory.ts). Who changes again moves to the end.
CREATE TABLE people_changes (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL UNIQUE REFERENCES users (id)
) STRICT;

CREATE TRIGGER people_come AFTER INSERT ON users
BEGIN
  INSERT INTO people_changes (user_id) VALUES (NEW.id);
END;

CREATE TRIGGER people_change AFTER UPDATE OF username, name, dept ON users
BEGIN
  DELETE FROM people_changes WHERE user_id = NEW.id;
  INSERT INTO people_changes (user_id) VALUES (NEW.id);
END;

-- Small pictures that users gave, by the hash of their bytes; the column avatar of users holds their path.
CREATE TABLE avatars (
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
  kind TEXT NOT NULL CHECK (kind IN ('png', 'jpeg', 'webp')),
  bytes BLOB NOT NULL CHECK (length(bytes) <= 65536)
) STRICT;

CREATE INDEX users_by_avatar ON users (avatar) WHERE avatar IS NOT NULL;

CREATE TRIGGER avatars_go_with_the_last_who_shows_them AFTER UPDATE OF avatar ON users
WHEN OLD.avatar LIKE '/api/v1/avatars/%' AND NEW.avatar IS NOT OLD.avatar
BEGIN
  DELETE FROM avatars WHERE hash = substr(OLD.avatar, 17)
    AND NOT EXISTS (SELECT 1 FROM users WHERE avatar = OLD.avatar);
END;

-- Sums of points by person for the periods that run, and by day, as of a transaction (see standings.ts). They can be
-- made anew from the transactions at any time.
CREATE TABLE standings (
  period TEXT PRIMARY KEY CHECK (period IN ('week', 'month', 'quarter', 'year', 'all', 'days')),
  starts_at INTEGER NOT NULL,
  through_id INTEGER NOT NULL,
  totals BLOB NOT NULL
) STRICT;
