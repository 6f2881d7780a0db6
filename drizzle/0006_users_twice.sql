-- Each user stands in the file twice, so that a bit that flips in one of the two is noticed: nothing else is held against
-- these fields.
CREATE INDEX users_whole ON users (
  id, email, email_key, username, avatar, bio, password, name, dept, currency, access_version, refresh_version
);
