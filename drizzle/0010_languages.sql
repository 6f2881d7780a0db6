CREATE TABLE new_mail_choices (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  mail TEXT NOT NULL CHECK (mail IN ('each', 'daily', 'off')),
  -- NULL: the language of the service.
  language TEXT CHECK (language IN ('de', 'en', 'es', 'fr', 'pt'))
) STRICT;
INSERT INTO new_mail_choices SELECT user_id, mail, language FROM mail_choices;
DROP TABLE mail_choices;
ALTER TABLE new_mail_choices RENAME TO mail_choices;
