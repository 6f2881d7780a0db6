ALTER TABLE mail_choices DROP CONSTRAINT mail_choices_language_check;
ALTER TABLE mail_choices ADD CONSTRAINT mail_choices_language_check CHECK (language IN ('de', 'en', 'es', 'fr', 'pt'));
