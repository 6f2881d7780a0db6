-- Why the last attempt of a mail failed, and what an operator can do about it.
ALTER TABLE jobs ADD COLUMN cause text COLLATE "C" CHECK (cause IN ('operator', 'recipient', 'unreachable'));
ALTER TABLE jobs ADD COLUMN cure text COLLATE "C";
