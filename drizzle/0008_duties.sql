-- What a superuser gave a regular user to do, as words with commas between them: insights, rewards, people.
ALTER TABLE users ADD COLUMN duties TEXT NOT NULL DEFAULT '';

CREATE INDEX users_with_duties ON users (id) WHERE duties <> '';

DROP INDEX users_whole;
CREATE INDEX users_whole ON users (
  id, email, email_key, username, username_key, avatar, bio, password, name, dept, currency, access_version, refresh_version,
  kept_token, deactivated_at, erased_at, birthday, joined, celebrates, manager_id, duties
);
