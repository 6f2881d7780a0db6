-- Nothing calls lock_ledger any more but the processes of 0.1.0, which send points with it until they are stopped. It goes in the
-- release after this one.
COMMENT ON FUNCTION lock_ledger(uuid) IS 'for processes of 0.1.0 alone; a later release drops it';

-- When the server that answers was started. After a failover it is another one, which may lack the last commits.
CREATE VIEW server_start AS SELECT pg_postmaster_start_time()::text COLLATE "C" AS at;
