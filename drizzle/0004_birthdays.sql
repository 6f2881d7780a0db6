-- The day of the year, MM-DD. 2000 has a 29th of February.
ALTER TABLE users ADD COLUMN birthday TEXT CHECK ('2000-' || birthday IS date('2000-' || birthday));
-- The first day at work, YYYY-MM-DD.
ALTER TABLE users ADD COLUMN joined TEXT CHECK (joined IS date(joined));
-- Whether the person wants to be celebrated. NULL: they have not said.
ALTER TABLE users ADD COLUMN celebrates INTEGER CHECK (celebrates IN (0, 1));

CREATE INDEX users_by_birthday ON users (birthday) WHERE birthday IS NOT NULL;
CREATE INDEX users_by_joining ON users (substr(joined, 6)) WHERE joined IS NOT NULL;

DROP INDEX users_whole;
CREATE INDEX users_whole ON users (
  id, email, email_key, username, username_key, avatar, bio, password, name, dept, currency, access_version, refresh_version,
  kept_token, deactivated_at, erased_at, birthday, joined, celebrates
);
