CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL CHECK (action <> ''),
  who TEXT,
  whom TEXT,
  way TEXT NOT NULL CHECK (way IN ('http', 'command line', 'server')),
  address TEXT,
  count INTEGER NOT NULL CHECK (count > 0),
  detail TEXT
) STRICT;

CREATE INDEX audit_by_time ON audit (at);

-- Entries from before this time may be deleted, no others.
CREATE TABLE audit_keeps (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL
) STRICT;

INSERT INTO audit_keeps (id, since) VALUES (1, 0);

CREATE TRIGGER audit_is_never_modified BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;

CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
WHEN OLD.at >= (SELECT since FROM audit_keeps)
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is kept until its time is over');
END;

-- INSERT OR REPLACE would delete without asking the trigger above.
CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;

CREATE TRIGGER audit_keeps_stays BEFORE DELETE ON audit_keeps
BEGIN
  SELECT RAISE(ABORT, 'what the audit keeps is never deleted');
END;

-- For whoever looks at the open sessions; those from before have neither.
ALTER TABLE sessions ADD COLUMN opened_at INTEGER;
ALTER TABLE sessions ADD COLUMN address TEXT;
