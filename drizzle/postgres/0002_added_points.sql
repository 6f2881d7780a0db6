-- The entry of the feed to whose receivers the transfer adds points. Of a group, the first transfer.
ALTER TABLE transactions ADD COLUMN adds_to bigint
  CHECK (adds_to IS NULL OR adds_to < id AND kind = 'transfer' AND user_id <> from_id AND group_id IS NULL);

CREATE INDEX transactions_by_added ON transactions (adds_to) WHERE adds_to IS NOT NULL;

-- Runs once a batch. Wakes the followers of every process when the batch commits; the channel carries the newest id.
CREATE OR REPLACE FUNCTION transactions_appended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch record;
  parties bigint[];
BEGIN
  SELECT min(id) AS first, max(id) AS last, count(*) AS size, count(reverses) AS reversals, count(group_id) AS grouped,
    count(adds_to) AS adding
  FROM appended INTO batch;
  IF batch.size = 0 THEN RETURN NULL; END IF;
  IF batch.first <> (SELECT last_id + 1 FROM ledger_state) OR batch.last <> batch.first + batch.size - 1 THEN
    RAISE EXCEPTION 'ids of transactions ascend without a gap' USING ERRCODE = 'restrict_violation';
  END IF;
  -- An array makes it one look into the index for each user. Otherwise the planner reads all users for each batch.
  parties := ARRAY(SELECT user_id FROM appended UNION SELECT from_id FROM appended);
  IF (SELECT count(*) FROM users WHERE id = ANY (parties)) < cardinality(parties) THEN
    RAISE EXCEPTION 'a transaction is between users' USING ERRCODE = 'foreign_key_violation';
  END IF;
  -- A foreign key would call a function for every row, also for those that reverse nothing.
  IF batch.reversals > 0 AND EXISTS (
    SELECT FROM appended
    WHERE reverses IS NOT NULL AND (SELECT id FROM transactions WHERE transactions.id = appended.reverses) IS NULL)
  THEN
    RAISE EXCEPTION 'a reversal is of a transaction' USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF batch.grouped > 0 AND EXISTS (
    SELECT FROM appended
    WHERE group_id IS NOT NULL AND (SELECT id FROM transactions WHERE transactions.id = appended.group_id) IS NULL)
  THEN
    RAISE EXCEPTION 'a group begins with a transaction' USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF batch.adding > 0 AND EXISTS (
    SELECT FROM appended
    WHERE adds_to IS NOT NULL AND (SELECT id FROM transactions WHERE transactions.id = appended.adds_to) IS NULL)
  THEN
    RAISE EXCEPTION 'points are added to a transaction' USING ERRCODE = 'foreign_key_violation';
  END IF;
  PERFORM pg_notify('rewards_ledger', batch.last::text);
  RETURN NULL;
END $$;
