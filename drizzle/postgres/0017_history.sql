-- A batch reads the revision of the ledger like any other statement.
DROP FUNCTION lock_ledger(uuid);

-- When the server that answers was started. After a failover it is another one, which may lack the last commits.
CREATE VIEW server_start AS SELECT pg_postmaster_start_time()::text COLLATE "C" AS at;
