-- Whom to celebrate on a day of the year: only those who are celebrated, in the order of a list, so that a page reads nobody else.
DROP INDEX users_by_birthday;
CREATE INDEX users_by_birthday ON users (birthday, id)
  WHERE birthday IS NOT NULL AND celebrates = 1 AND deactivated_at IS NULL;
DROP INDEX users_by_joining;
CREATE INDEX users_by_joining ON users (substr(joined, 6), id, joined)
  WHERE joined IS NOT NULL AND (celebrates IS NULL OR celebrates = 1) AND deactivated_at IS NULL;
