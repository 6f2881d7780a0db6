-- The day of the year, MM-DD.
ALTER TABLE users ADD COLUMN birthday text COLLATE "C" CHECK (
  birthday ~ '^((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))$'
);
-- The first day at work, YYYY-MM-DD.
ALTER TABLE users ADD COLUMN joined text COLLATE "C" CHECK (
  joined ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
);
-- Whether the person wants to be celebrated. NULL: they have not said.
ALTER TABLE users ADD COLUMN celebrates smallint CHECK (celebrates IN (0, 1));

CREATE INDEX users_by_birthday ON users (birthday) WHERE birthday IS NOT NULL;
CREATE INDEX users_by_joining ON users (substr(joined, 6)) WHERE joined IS NOT NULL;
