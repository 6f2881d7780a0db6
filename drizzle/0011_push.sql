-- The key pair with which this server identifies itself to the push services of browsers (VAPID), made once. The public key
-- is base64url, the private key encrypted (src/security/secrets.ts).
CREATE TABLE push_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL
) STRICT;

-- The browsers in which people switched notifications on. A browser belongs to the person who did so last.
CREATE TABLE push_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- Where the push service of the browser takes messages; whoever knows it can send some.
  endpoint TEXT NOT NULL CONSTRAINT push_devices_endpoint UNIQUE CHECK (endpoint <> ''),
  -- The browser's keys, base64url, for which messages are encrypted.
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE INDEX push_devices_by_user ON push_devices (user_id, id);
