-- The data model. Times are milliseconds since 1970 UTC; every table is STRICT, so columns keep to their types.

-- "rwds". A file with another id, or with tables and no id, belongs to another program and is left alone.
PRAGMA application_id = 1920427123;

-- People

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  -- The address with case folded: two accounts cannot share one.
  email_key TEXT NOT NULL CONSTRAINT users_email_key UNIQUE,
  username TEXT NOT NULL CONSTRAINT users_username UNIQUE,
  -- The username with case folded, for log-ins. New usernames may not look like others, so it finds one user.
  username_key TEXT NOT NULL,
  avatar TEXT,
  bio TEXT,
  -- A bcrypt hash.
  password TEXT NOT NULL CHECK (length(password) = 60),
  name TEXT NOT NULL CHECK (name <> ''),
  dept TEXT NOT NULL CHECK (dept <> ''),
  currency TEXT NOT NULL CHECK (currency <> ''),
  -- A token is valid only with the current version; raising the number revokes all tokens of the user.
  access_version INTEGER NOT NULL DEFAULT 0,
  refresh_version INTEGER NOT NULL DEFAULT 0,
  -- SHA-256 of the access token that ended all others: valid whatever version it names.
  kept_token TEXT,
  -- When the account was deactivated, and when it was erased after that; NULL while it is not.
  deactivated_at INTEGER,
  erased_at INTEGER CHECK (erased_at >= deactivated_at)
) STRICT;

CREATE INDEX users_by_username_key ON users (username_key);
CREATE INDEX users_by_dept ON users (dept);
CREATE INDEX users_erased ON users (erased_at) WHERE erased_at IS NOT NULL;
CREATE INDEX users_by_avatar ON users (avatar) WHERE avatar IS NOT NULL;

-- A second copy of every user: the integrity check compares an index with its table, so a flipped bit in either is found.
CREATE INDEX users_whole ON users (
  id, email, email_key, username, username_key, avatar, bio, password, name, dept, currency, access_version, refresh_version,
  kept_token, deactivated_at, erased_at
);

-- An erasure keeps the row, because transactions name it.
CREATE TRIGGER users_are_never_deleted BEFORE DELETE ON users
BEGIN
  SELECT RAISE(ABORT, 'a user is never deleted: deactivate and erase the account');
END;

-- Confusable usernames and names (src/confusables.ts): two texts that share a skeleton look the same to a reader.
CREATE TABLE confusables (
  kind TEXT NOT NULL CHECK (kind IN ('username', 'name')),
  skeleton TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (kind, skeleton, user_id)
) STRICT, WITHOUT ROWID;

-- The latest change of each user, in order. The in-memory directory reads only what is new since its last revision.
CREATE TABLE people_changes (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL UNIQUE REFERENCES users (id)
) STRICT;

CREATE TRIGGER people_added AFTER INSERT ON users
BEGIN
  INSERT INTO people_changes (user_id) VALUES (NEW.id);
END;

CREATE TRIGGER people_changed AFTER UPDATE OF username, name, dept, deactivated_at ON users
BEGIN
  DELETE FROM people_changes WHERE user_id = NEW.id;
  INSERT INTO people_changes (user_id) VALUES (NEW.id);
END;

-- Uploaded pictures by the SHA-256 of their bytes; users.avatar and rewards.picture hold /api/v1/avatars/<hash>.
CREATE TABLE avatars (
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
  kind TEXT NOT NULL CHECK (kind IN ('png', 'jpeg', 'webp')),
  bytes BLOB NOT NULL CHECK (length(bytes) <= 65536)
) STRICT;

CREATE TRIGGER avatars_go_with_their_last_user AFTER UPDATE OF avatar ON users
WHEN OLD.avatar LIKE '/api/v1/avatars/%' AND NEW.avatar IS NOT OLD.avatar
BEGIN
  DELETE FROM avatars WHERE hash = substr(OLD.avatar, 17)
    AND NOT EXISTS (SELECT 1 FROM users WHERE avatar = OLD.avatar)
    AND NOT EXISTS (SELECT 1 FROM rewards WHERE picture = OLD.avatar);
END;

-- Ledger

-- Append-only. Each row carries its hash over the row before (docs/chain.md), and the id of the transaction before it in
-- what user_id received from others (user_prev) and in what from_id sent to others (from_prev), or, where both are the same
-- user, the one before it to oneself; 0 for none. commitment is SHA-256 over the salt and the words of the note; it stays
-- when they are erased.
CREATE TABLE transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  from_id INTEGER NOT NULL REFERENCES users (id),
  value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 9007199254740991),
  date INTEGER NOT NULL,
  user_prev INTEGER NOT NULL CHECK (user_prev BETWEEN 0 AND id - 1),
  from_prev INTEGER NOT NULL CHECK (from_prev BETWEEN 0 AND id - 1),
  -- SQLite builds a table for a longer IN each time; nearly every transaction is a transfer, and stops before it.
  kind TEXT NOT NULL CHECK (
    kind = 'transfer' OR kind IN ('grant', 'allowance', 'expiry', 'redemption', 'refund', 'reversal')
  ),
  -- The transaction whose points a reversal moves back.
  reverses INTEGER REFERENCES transactions (id) CHECK (reverses < id),
  -- The first of the adjacent transfers with which the sender thanked several people at once.
  group_id INTEGER REFERENCES transactions (id),
  commitment BLOB CHECK (length(commitment) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  CHECK ((kind = 'reversal') = (reverses IS NOT NULL)),
  CHECK (group_id IS NULL OR group_id <= id AND kind = 'transfer' AND user_id <> from_id)
) STRICT;

CREATE INDEX transactions_by_reversed ON transactions (reverses) WHERE reverses IS NOT NULL;
CREATE INDEX transactions_by_group ON transactions (group_id) WHERE group_id IS NOT NULL;

CREATE TRIGGER transactions_are_never_modified BEFORE UPDATE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never modified');
END;

CREATE TRIGGER transactions_are_never_deleted BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never deleted');
END;

-- INSERT OR REPLACE would delete without firing the trigger above.
CREATE TRIGGER transactions_only_ascend BEFORE INSERT ON transactions
WHEN NEW.id <= (SELECT last_id FROM ledger_state)
BEGIN
  SELECT RAISE(ABORT, 'ids of transactions ascend');
END;

-- The reason and tags that a sender gave. As unchangeable as the transaction, whose hash covers the commitment to them.
CREATE TABLE notes (
  transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id),
  -- Random: without it, words that were erased could be guessed from the commitment.
  salt BLOB NOT NULL CHECK (length(salt) = 16),
  reason TEXT NOT NULL,
  -- Words, separated by one space.
  tags TEXT NOT NULL CHECK (instr(tags, char(10)) = 0),
  private INTEGER NOT NULL CHECK (private IN (0, 1)),
  CHECK (reason <> '' OR tags <> ''),
  CHECK (private = 0 OR reason <> '')
) STRICT;

CREATE TRIGGER notes_are_never_modified BEFORE UPDATE ON notes
BEGIN
  SELECT RAISE(ABORT, 'a note is never modified');
END;

-- Transactions whose note was erased. An erasure is one INSERT here: the trigger deletes the note.
CREATE TABLE erasures (
  transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id),
  erased_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER notes_are_deleted_by_erasure_only BEFORE DELETE ON notes
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE transaction_id = OLD.transaction_id)
BEGIN
  SELECT RAISE(ABORT, 'a note is never deleted without its erasure');
END;

CREATE TRIGGER notes_go_with_their_erasure AFTER INSERT ON erasures
BEGIN
  DELETE FROM notes WHERE transaction_id = NEW.transaction_id;
END;

CREATE TRIGGER erasures_need_a_note BEFORE INSERT ON erasures
WHEN NOT EXISTS (SELECT 1 FROM notes WHERE transaction_id = NEW.transaction_id)
BEGIN
  SELECT RAISE(ABORT, 'there is no note to erase');
END;

CREATE TRIGGER erasures_are_never_modified BEFORE UPDATE ON erasures
BEGIN
  SELECT RAISE(ABORT, 'an erasure is never modified');
END;

CREATE TRIGGER erasures_are_never_deleted BEFORE DELETE ON erasures
BEGIN
  SELECT RAISE(ABORT, 'an erasure is never deleted');
END;

-- ledger_state moves at the end of a commit, so a note can only be written in the commit of its transaction.
-- INSERT OR REPLACE would delete without firing the trigger above.
CREATE TRIGGER notes_come_with_their_transaction BEFORE INSERT ON notes
WHEN NEW.transaction_id <= (SELECT last_id FROM ledger_state)
BEGIN
  SELECT RAISE(ABORT, 'a note is written only with its transaction');
END;

-- The history index (docs/architecture.md). Each user has three lists of transactions: received from others, sent to others,
-- and to oneself ("self"); the list "all" of user 0 holds everything. Every 256 entries of a list are copied into a block,
-- written in the commit that fills it.
CREATE TABLE blocks (
  owner_id INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('received', 'sent', 'self', 'all')),
  -- From 0.
  number INTEGER NOT NULL CHECK (number >= 0),
  first_id INTEGER NOT NULL,
  smallest INTEGER NOT NULL,
  largest INTEGER NOT NULL,
  -- Of each entry the id, less first_id, and the value: little-endian numbers of 1, 2, 4 or 8 (floating point) bytes.
  offsets BLOB NOT NULL CHECK (length(offsets) IN (256, 512, 1024, 2048)),
  amounts BLOB NOT NULL CHECK (length(amounts) IN (256, 512, 1024, 2048)),
  PRIMARY KEY (owner_id, side, number)
) STRICT;

CREATE INDEX blocks_by_first_id ON blocks (owner_id, side, first_id);
CREATE INDEX blocks_by_smallest ON blocks (owner_id, side, smallest, number);
CREATE INDEX blocks_by_largest ON blocks (owner_id, side, largest, number);

-- Each user's balance, and the length and newest entry of the three lists. No row means no request that sends points yet, and no
-- transaction.
CREATE TABLE balances (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  value INTEGER NOT NULL CHECK (value BETWEEN -9007199254740991 AND 9007199254740991),
  -- Of the balance, what others gave as recognition; the rest is the budget. Given on, it is counted in earned_given, because
  -- the reversal of a gift returns it (src/domain/ledger/pockets.ts).
  earned INTEGER NOT NULL DEFAULT 0 CHECK (earned BETWEEN 0 AND max(value, 0)),
  earned_given INTEGER NOT NULL DEFAULT 0 CHECK (earned_given BETWEEN 0 AND 9007199254740991),
  received_count INTEGER NOT NULL CHECK (received_count >= 0),
  last_received INTEGER NOT NULL DEFAULT 0,
  sent_count INTEGER NOT NULL CHECK (sent_count >= 0),
  last_sent INTEGER NOT NULL DEFAULT 0,
  self_count INTEGER NOT NULL DEFAULT 0 CHECK (self_count >= 0),
  last_self INTEGER NOT NULL DEFAULT 0,
  -- For the transfer limit: how many requests the user made in the minute that ends at requests_until.
  requests INTEGER NOT NULL DEFAULT 0 CHECK (requests >= 0),
  requests_until INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Balances with the time of their last change, for people who read the database. The server does not use it: the time is
-- that of the newest transaction, so storing it again would only make each transfer write more.
CREATE VIEW balance AS
SELECT b.user_id, b.value, t.date AS updated_at
FROM balances b JOIN transactions t ON t.id = max(b.last_received, b.last_sent, b.last_self);

-- One row: the end of the ledger.
CREATE TABLE ledger_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  transaction_count INTEGER NOT NULL CHECK (transaction_count >= 0),
  last_id INTEGER NOT NULL,
  last_date INTEGER NOT NULL,
  last_hash BLOB NOT NULL CHECK (length(last_hash) = 32),
  CHECK (last_id = transaction_count)
) STRICT;

INSERT INTO ledger_state (id, transaction_count, last_id, last_date, last_hash) VALUES (1, 0, 0, 0, zeroblob(32));

-- A request that its client may repeat for a day, and that takes effect once.
CREATE TABLE idempotency_keys (
  user_id INTEGER NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- The first transaction that the request made, and how many there are, with consecutive ids.
  transaction_id INTEGER REFERENCES transactions (id),
  transaction_count INTEGER CHECK (transaction_count > 0),
  -- The sender's balance right after: part of the answer.
  balance INTEGER,
  -- What it made, if that is no transaction: encrypted.
  made TEXT,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, key),
  CHECK ((transaction_id IS NULL) + (transaction_count IS NULL) + (balance IS NULL) = iif(made IS NULL, 0, 3))
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

-- Cached totals by person for each running period, and by day, up to through_id. Can be rebuilt from the transactions.
CREATE TABLE leaderboard_snapshots (
  period TEXT PRIMARY KEY CHECK (period IN ('week', 'month', 'quarter', 'year', 'all', 'days')),
  -- Of its days and periods.
  time_zone TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  through_id INTEGER NOT NULL,
  totals BLOB NOT NULL
) STRICT;

-- Recognition

-- One row for each emoji with which somebody reacted to a recognition.
CREATE TABLE reactions (
  transaction_id INTEGER NOT NULL REFERENCES transactions (id),
  emoji TEXT NOT NULL CHECK (emoji <> ''),
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (transaction_id, emoji, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX reactions_by_user ON reactions (user_id);

-- Replies to recognitions. The ids of those written after transaction n begin above n * 2^20, so that notifications of both have
-- one order (src/domain/recognition/notifications.ts).
CREATE TABLE replies (
  id INTEGER PRIMARY KEY,
  transaction_id INTEGER NOT NULL REFERENCES transactions (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- NULL once it was deleted: the row stays, so that its id is not used again.
  text TEXT CHECK (text <> ''),
  date INTEGER NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))
) STRICT;

CREATE INDEX replies_by_transaction ON replies (transaction_id, id);
CREATE INDEX replies_by_user ON replies (user_id);

-- Whom a reply notifies.
CREATE TABLE reply_notices (
  user_id INTEGER NOT NULL REFERENCES users (id),
  reply_id INTEGER NOT NULL REFERENCES replies (id),
  PRIMARY KEY (user_id, reply_id)
) STRICT, WITHOUT ROWID;

-- The newest notification that a user has seen; those before it count as seen.
CREATE TABLE notifications_seen (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  through_id INTEGER NOT NULL CHECK (through_id >= 0)
) STRICT;

-- A person's templates of reasons, as a JSON array of texts. No row: none.
CREATE TABLE reason_templates (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  reasons TEXT NOT NULL CHECK (json_valid(reasons))
) STRICT;

-- Credentials

CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  opened_at INTEGER,
  address TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_username ON sessions (username);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Grows with every change that may end a session or a token before its time, so that open streams need not check their
-- credentials while it stays the same.
CREATE TABLE access_changes (
  count INTEGER NOT NULL
) STRICT;
INSERT INTO access_changes VALUES (0);

CREATE TRIGGER access_changes_with_a_session AFTER DELETE ON sessions
BEGIN
  UPDATE access_changes SET count = count + 1;
END;

CREATE TRIGGER access_changes_with_a_user AFTER UPDATE OF username, dept, access_version, kept_token, deactivated_at ON users
BEGIN
  UPDATE access_changes SET count = count + 1;
END;

-- API tokens: of each only a hash. A personal one belongs to its user; a service token was made by a superuser for a program,
-- which acts in the user's name. What ends access tokens ends personal ones too, and deactivation ends both kinds.
CREATE TABLE api_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN ('personal', 'service')),
  name TEXT NOT NULL CHECK (name <> ''),
  -- How the secret begins, to tell tokens apart.
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  -- Some of read, give and admin, separated by commas.
  scopes TEXT NOT NULL CHECK (scopes <> ''),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  last_used_from TEXT
) STRICT;

CREATE INDEX api_tokens_by_user ON api_tokens (user_id);
CREATE INDEX api_tokens_by_expiry ON api_tokens (expires_at) WHERE expires_at IS NOT NULL;

CREATE TRIGGER api_tokens_end_with_access AFTER UPDATE OF access_version ON users
WHEN NEW.access_version <> OLD.access_version
BEGIN
  DELETE FROM api_tokens
  WHERE user_id = NEW.id AND (kind = 'personal' OR coalesce(NEW.deactivated_at, OLD.deactivated_at) IS NOT NULL);
END;

CREATE TRIGGER access_changes_with_a_token AFTER DELETE ON api_tokens
BEGIN
  UPDATE access_changes SET count = count + 1;
END;

-- Single-use tokens that were used, until they would have expired.
CREATE TABLE spent_tokens (
  token_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Accounts at a single sign-on provider, by which people log in: the provider's name and its own name for the account.
CREATE TABLE identities (
  issuer TEXT NOT NULL CHECK (issuer <> ''),
  subject TEXT NOT NULL CHECK (subject <> ''),
  user_id INTEGER NOT NULL REFERENCES users (id),
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  CONSTRAINT identities_one_for_each_issuer UNIQUE (user_id, issuer)
) STRICT, WITHOUT ROWID;

-- What a log-in asks for besides the password.
CREATE TABLE second_factors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN ('passkey', 'totp')),
  name TEXT NOT NULL CHECK (name <> ''),
  -- Of a passkey.
  credential_id TEXT CONSTRAINT second_factors_credential_id UNIQUE,
  transports TEXT,
  -- The public key of a passkey; the secret of one-time codes, encrypted (src/secrets.ts).
  key TEXT NOT NULL,
  -- What was used last: the signature counter of a passkey, the 30-second step of a one-time code. Nothing older is accepted.
  counter INTEGER NOT NULL CHECK (counter >= 0),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  CHECK ((kind = 'passkey') = (credential_id IS NOT NULL))
) STRICT;

CREATE INDEX second_factors_by_user ON second_factors (user_id, id);

-- The secret of one-time codes, encrypted, until a first code shows that the app has it.
CREATE TABLE totp_setups (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  key TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Hashes of unused recovery codes.
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- The ids that the provisioning directory (SCIM) gives to people.
CREATE TABLE external_ids (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  external_id TEXT NOT NULL UNIQUE CHECK (external_id <> '')
) STRICT;

-- Addresses from which each user has logged in: failures from elsewhere do not lock the user out there.
CREATE TABLE login_sources (
  user_id INTEGER NOT NULL REFERENCES users (id),
  source TEXT NOT NULL CHECK (source <> ''),
  used_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX login_sources_by_time ON login_sources (used_at);

-- Rate limits over all processes: how many events of a key its last window holds, until when. Keys are hashes.
CREATE TABLE rate_limits (
  kind TEXT NOT NULL CHECK (kind <> ''),
  key TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX rate_limits_by_kind ON rate_limits (kind, ends_at);
CREATE INDEX rate_limits_by_end ON rate_limits (ends_at);

-- Jobs

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  state TEXT NOT NULL CHECK (state IN ('available', 'running', 'completed', 'discarded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- A temporary failure raises max_attempts by one, and is tried again until retry_until.
  max_attempts INTEGER NOT NULL CHECK (max_attempts > 0),
  retry_until INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  -- The worker that runs it, and until when no other worker may claim it.
  locked_by TEXT,
  locked_until INTEGER,
  last_error TEXT,
  result TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  CHECK ((state = 'running') = (locked_by IS NOT NULL)),
  CHECK ((locked_by IS NULL) = (locked_until IS NULL)),
  CHECK ((state IN ('completed', 'discarded')) = (finished_at IS NOT NULL))
) STRICT;

-- When a job may next be claimed: an available one at run_at, a running one when its lease expires.
CREATE INDEX jobs_by_due ON jobs (coalesce(locked_until, run_at)) WHERE finished_at IS NULL;
CREATE INDEX jobs_by_finish ON jobs (finished_at) WHERE finished_at IS NOT NULL;

-- For work that enqueues jobs at intervals, how far it has come: a transaction, or a part of a period. It moves in the
-- commit that adds the jobs, so each job is enqueued once.
CREATE TABLE job_progress (
  work TEXT PRIMARY KEY,
  reached TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Work that one process does for all of them, at intervals. While it runs, locked_by names its owner, until locked_until.
CREATE TABLE scheduled_work (
  name TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  locked_by TEXT,
  locked_until INTEGER,
  CHECK ((locked_by IS NULL) = (locked_until IS NULL))
) STRICT, WITHOUT ROWID;

-- Mail about recognition

-- What a person chose. Without a row: a daily mail, in the language of the service.
CREATE TABLE mail_choices (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  mail TEXT NOT NULL CHECK (mail IN ('each', 'daily', 'off')),
  -- NULL: the language of the service.
  language TEXT CHECK (language IN ('en', 'pt'))
) STRICT;

-- Allowances

-- Points that `admin` pays at intervals. A removed one keeps its row, for its runs.
CREATE TABLE allowances (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name <> ''),
  value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 9007199254740991),
  mode TEXT NOT NULL CHECK (mode IN ('add', 'top_up', 'reset')),
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'quarter')),
  -- The weekday from Monday = 1, or the day of the first month, or 'last' for its last day; NULL for a daily allowance.
  due_day TEXT CHECK (
    CASE period
      WHEN 'day' THEN due_day IS NULL
      WHEN 'week' THEN due_day GLOB '[1-7]'
      ELSE due_day = 'last' OR due_day GLOB '[1-9]' OR due_day GLOB '1[0-9]' OR due_day GLOB '2[0-8]'
    END IS TRUE
  ),
  -- HH:MM in the time zone of the service.
  due_time TEXT NOT NULL CHECK (due_time GLOB '[0-1][0-9]:[0-5][0-9]' OR due_time GLOB '2[0-3]:[0-5][0-9]'),
  -- {"everyone":true}, {"dept":"…"}, or {"named":true} for the people in allowance_members.
  audience TEXT NOT NULL
    CHECK (audience IN ('{"everyone":true}', '{"named":true}') OR json_type(audience, '$.dept') IS 'text'),
  reason TEXT,
  -- Days, YYYY-MM-DD; both included.
  starts_on TEXT CHECK (starts_on IS date(starts_on)),
  ends_on TEXT CHECK (ends_on IS date(ends_on)),
  catch_up TEXT NOT NULL CHECK (catch_up IN ('latest', 'none')),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  -- Periods that fell due earlier are not paid automatically.
  due_from INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

-- The people whom an allowance names.
CREATE TABLE allowance_members (
  allowance_id INTEGER NOT NULL REFERENCES allowances (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (allowance_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX allowance_members_by_user ON allowance_members (user_id);

-- One row for each period that is paid or being paid, with the terms as they were when it began. Each commit that pays people
-- moves through_id, so that an interrupted run continues exactly where it stopped.
CREATE TABLE allowance_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  allowance_id INTEGER NOT NULL REFERENCES allowances (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'quarter')),
  -- The first day of the period, YYYY-MM-DD.
  first_day TEXT NOT NULL CHECK (first_day IS date(first_day)),
  begun_at INTEGER NOT NULL,
  finished_at INTEGER,
  value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 9007199254740991),
  mode TEXT NOT NULL CHECK (mode IN ('add', 'top_up', 'reset')),
  -- {"everyone":true}, {"dept":"…"} or {"userIds":[…]}.
  audience TEXT NOT NULL CHECK (
    audience = '{"everyone":true}'
    OR json_type(audience, '$.dept') IS 'text' OR json_type(audience, '$.userIds') IS 'array'
  ),
  reason TEXT,
  -- Everybody with an id up to this one has had their turn.
  through_id INTEGER NOT NULL DEFAULT 0,
  -- How many got how many points.
  people INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  -- Points of everybody together that went back to `admin`.
  expired INTEGER NOT NULL DEFAULT 0,
  UNIQUE (allowance_id, period, first_day)
) STRICT;

CREATE INDEX allowance_runs_unfinished ON allowance_runs (id) WHERE finished_at IS NULL;

-- Rewards

-- What people can redeem points for. A reward that is no longer offered stays, inactive, because of its redemptions.
CREATE TABLE rewards (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name <> ''),
  description TEXT,
  cost INTEGER NOT NULL CHECK (cost BETWEEN 1 AND 9007199254740991),
  picture TEXT,
  -- How many are left; NULL: as many as are asked for.
  stock INTEGER CHECK (stock BETWEEN 0 AND 9007199254740991),
  limit_per_person INTEGER CHECK (limit_per_person BETWEEN 1 AND 9007199254740991),
  active INTEGER NOT NULL CHECK (active IN (0, 1))
) STRICT;

-- A redemption has the id of the transaction that took the points, which is its cost and its date too.
CREATE TABLE redemptions (
  id INTEGER PRIMARY KEY REFERENCES transactions (id),
  reward_id INTEGER NOT NULL REFERENCES rewards (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- As it was at that time.
  reward_name TEXT NOT NULL CHECK (reward_name <> ''),
  state TEXT NOT NULL CHECK (state IN ('requested', 'fulfilled', 'declined')),
  comment TEXT,
  answer TEXT,
  answered_at INTEGER,
  -- The transaction that returned the points.
  refund_id INTEGER UNIQUE REFERENCES transactions (id),
  CHECK ((state = 'requested') = (answered_at IS NULL)),
  CHECK ((state = 'declined') = (refund_id IS NOT NULL))
) STRICT;

CREATE INDEX redemptions_by_user ON redemptions (user_id, id);
CREATE INDEX redemptions_by_state ON redemptions (state, id);

-- Events

-- One row. Without it, nothing is recorded: a copy of a database takes over the events of its source.
CREATE TABLE event_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_id INTEGER NOT NULL,
  -- Transactions up to this one have their events.
  last_transaction INTEGER NOT NULL
) STRICT;
INSERT INTO event_state (id, last_id, last_transaction) VALUES (1, 0, 0);

-- The events that webhooks and GET /api/v1/events deliver. A row stores the type and the id of its subject; names and reasons
-- are read when the event is sent. Events of transactions are recorded after their commit, before any later event, one row for
-- many: the last `count` ids, for the last `count` transactions.
CREATE TABLE events (
  -- That of its last event.
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN (
    'transactions', 'user.created', 'user.updated', 'user.deactivated',
    'redemption.requested', 'redemption.fulfilled', 'redemption.declined'
  )),
  -- A user, a redemption, or the last of the transactions.
  subject INTEGER NOT NULL,
  count INTEGER NOT NULL DEFAULT 1 CHECK (count > 0 AND (count = 1 OR type = 'transactions')),
  at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;

CREATE INDEX events_by_time ON events (at);

-- Inserting here records an event. The transactions before it come first, also those of its own commit, so that the order of
-- events is that of their causes.
CREATE VIEW new_events (type, subject) AS SELECT type, subject FROM events;

CREATE TRIGGER event_after_its_causes INSTEAD OF INSERT ON new_events
BEGIN
  INSERT INTO events (id, type, subject, count)
    SELECT last_id + newest - last_transaction, 'transactions', newest, newest - last_transaction
    FROM event_state, (SELECT max(id) AS newest FROM transactions) WHERE newest > last_transaction;
  UPDATE event_state SET last_id = last_id + newest - last_transaction, last_transaction = newest
    FROM (SELECT max(id) AS newest FROM transactions) WHERE newest > last_transaction;
  UPDATE event_state SET last_id = last_id + 1;
  INSERT INTO events (id, type, subject) SELECT last_id, NEW.type, NEW.subject FROM event_state;
END;

CREATE TRIGGER event_of_a_new_user AFTER INSERT ON users
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('user.created', NEW.id);
END;

CREATE TRIGGER event_of_a_changed_user AFTER UPDATE OF username, name, email, dept, deactivated_at ON users
WHEN (NEW.username, NEW.name, NEW.email, NEW.dept, NEW.deactivated_at IS NULL)
  <> (OLD.username, OLD.name, OLD.email, OLD.dept, OLD.deactivated_at IS NULL)
BEGIN
  INSERT INTO new_events (type, subject) VALUES (
    iif(OLD.deactivated_at IS NULL AND NEW.deactivated_at IS NOT NULL, 'user.deactivated', 'user.updated'), NEW.id
  );
END;

CREATE TRIGGER event_of_a_redemption AFTER INSERT ON redemptions
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('redemption.requested', NEW.id);
END;

CREATE TRIGGER event_of_an_answer AFTER UPDATE OF state ON redemptions WHEN NEW.state <> OLD.state
BEGIN
  INSERT INTO new_events (type, subject) VALUES ('redemption.' || NEW.state, NEW.id);
END;

-- Webhooks

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL CHECK (url <> ''),
  -- Types of events, as JSON; an empty list is all of them.
  events TEXT NOT NULL CHECK (json_valid(events)),
  format TEXT NOT NULL CHECK (format IN ('standard', 'slack', 'teams', 'discord')),
  description TEXT,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  -- Why the server deactivated it.
  stopped_because TEXT CHECK (stopped_because IS NULL OR active = 0),
  -- Encrypted. The secret before the last rotation signs too, until its time is over.
  secret TEXT NOT NULL,
  old_secret TEXT,
  old_secret_until INTEGER,
  -- The setting that it belongs to, such as slack.webhook_url; NULL for one that people made.
  setting TEXT UNIQUE,
  -- How many times people changed it: what a round learned before a change says nothing about it.
  revision INTEGER NOT NULL DEFAULT 0,
  -- Events up to this one were delivered, or wait as a delivery.
  last_event INTEGER NOT NULL,
  -- Attempts that have failed since the last success, since when, and when the next may follow.
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  retry_at INTEGER NOT NULL DEFAULT 0,
  last_success_at INTEGER,
  -- The process that delivers, and until when no other may.
  locked_by TEXT,
  locked_until INTEGER,
  CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  CHECK ((failures = 0) = (failing_since IS NULL)),
  CHECK ((locked_by IS NULL) = (locked_until IS NULL))
) STRICT;

-- Deliveries that wait for an attempt, and the last ones that were delivered or given up.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id),
  -- NULL for a test.
  event_id INTEGER,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- The last attempt: its time, how long it took, the status and the beginning of the answer, or what went wrong.
  attempted_at INTEGER,
  duration_ms INTEGER,
  status INTEGER,
  response TEXT,
  error TEXT,
  CHECK ((attempts = 0) = (attempted_at IS NULL))
) STRICT;

CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, id) WHERE state = 'waiting';

-- Audit log

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

-- One row: entries from before this time may be deleted, no others.
CREATE TABLE audit_retention (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL
) STRICT;

INSERT INTO audit_retention (id, since) VALUES (1, 0);

-- An erasure alone changes entries: it puts the placeholder in the place of a username, and deletes addresses and details.
CREATE TRIGGER audit_is_never_modified BEFORE UPDATE ON audit
WHEN (NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
  OR (NEW.address IS NOT OLD.address AND NEW.address IS NOT NULL)
  OR (NEW.detail IS NOT OLD.detail AND NEW.detail IS NOT NULL)
  OR (NEW.who IS NOT OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
  OR (NEW.whom IS NOT OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
  OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%')
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;

CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
WHEN OLD.at >= (SELECT since FROM audit_retention)
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is kept until its retention ends');
END;

-- INSERT OR REPLACE would delete without firing the trigger above.
CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;

CREATE TRIGGER audit_retention_stays BEFORE DELETE ON audit_retention
BEGIN
  SELECT RAISE(ABORT, 'the retention of the audit log is never deleted');
END;
