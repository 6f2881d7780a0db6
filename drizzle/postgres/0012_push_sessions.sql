-- A device belongs to the session in which somebody switched notifications on, and ends with it. Of one for which an access token
-- asked, session_hash is NULL; it ends with the token (ends_at), or when all tokens of its person end. Where both are NULL, the
-- device is from before this migration, when its session was not stored: it gets nothing more, and the app asks for another the
-- next time that its person opens it.
ALTER TABLE push_devices ADD COLUMN session_hash text COLLATE "C" REFERENCES sessions (id_hash) ON DELETE CASCADE;
ALTER TABLE push_devices ADD COLUMN ends_at bigint;

CREATE INDEX push_devices_by_session ON push_devices (session_hash) WHERE session_hash IS NOT NULL;
