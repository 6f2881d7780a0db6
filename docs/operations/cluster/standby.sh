#!/usr/bin/env bash
# Copies the primary when the folder is empty, then follows it.
set -eu
primary=${PRIMARY_HOST:-primary}
port=${PRIMARY_PORT:-5432}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD=$(cat "$REPLICATION_PASSWORD_FILE")
  export PGPASSWORD
  # A copy that was cut off is incomplete: it begins again.
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --slot=standby --write-recovery-conf \
    --dbname="host=$primary port=$port user=replication application_name=standby"
  chmod 700 "$PGDATA"
fi
exec postgres "$@"
