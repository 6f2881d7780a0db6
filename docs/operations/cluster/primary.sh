#!/usr/bin/env bash
# Runs once, when the primary is created: lets the standby in, makes every later commit wait for it, and archives the log.
# The standby copies these settings, so they hold when it has become the primary.
set -e
psql --set=ON_ERROR_STOP=1 --set=password="$(cat "$REPLICATION_PASSWORD_FILE")" --username="$POSTGRES_USER" \
  --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('standby');
-- Read at the next start: until then there is no standby that a commit could wait for.
ALTER SYSTEM SET synchronous_standby_names = 'standby';
-- The slot keeps what the standby lacks, but no more than this, so that it never fills the disk.
ALTER SYSTEM SET max_slot_wal_keep_size = '8GB';
ALTER SYSTEM SET archive_mode = on;
ALTER SYSTEM SET archive_timeout = '1min';
-- A segment gets its name when it is there completely.
ALTER SYSTEM SET archive_command =
  'test ! -f /archive/%f && cp %p /archive/%f.partial && sync /archive/%f.partial && mv /archive/%f.partial /archive/%f';
SQL
echo "host replication replication samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
