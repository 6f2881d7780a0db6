-- What a superuser gave a regular user to do, as words with commas between them: insights, rewards, people.
ALTER TABLE users ADD COLUMN duties text COLLATE "C" NOT NULL DEFAULT '';

CREATE INDEX users_with_duties ON users (id) WHERE duties <> '';
