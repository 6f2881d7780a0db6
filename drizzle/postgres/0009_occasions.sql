-- Points of an occasion are a transaction of a kind of their own.
ALTER TABLE transactions DROP CONSTRAINT transactions_kind_check;
ALTER TABLE transactions ADD CONSTRAINT transactions_kind_check CHECK (
  kind IN ('transfer', 'grant', 'allowance', 'expiry', 'redemption', 'refund', 'reversal', 'occasion')
);

-- Birthdays, anniversaries and first days that were celebrated: each is an entry of the feed, with or without points. The ids
-- share the order of notifications with replies (src/domain/recognition/notifications.ts). Where reactions, replies and
-- adds_to name an entry of the feed, a negative number is an occasion.
CREATE TABLE occasions (
  id bigint PRIMARY KEY CHECK (id > 0),
  user_id bigint NOT NULL REFERENCES users (id),
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('birthday', 'anniversary', 'first_day')),
  year bigint NOT NULL,
  -- Of an anniversary.
  years bigint CHECK (years > 0),
  -- With the places {name} and {years}, which are filled in when it is read.
  text text COLLATE "C" NOT NULL CHECK (text <> ''),
  date bigint NOT NULL,
  -- Its points; NULL for none.
  transaction_id bigint UNIQUE REFERENCES transactions (id),
  -- Each is celebrated once, whatever happens.
  UNIQUE (user_id, kind, year),
  CHECK ((kind = 'anniversary') = (years IS NOT NULL))
);

-- The entry of the feed: its transaction, of a group the first; or, negative, an occasion.
ALTER TABLE reactions DROP CONSTRAINT reactions_transaction_id_fkey,
  ADD CHECK (transaction_id <> 0),
  ADD COLUMN of_transaction bigint GENERATED ALWAYS AS (CASE WHEN transaction_id > 0 THEN transaction_id END) STORED
    REFERENCES transactions (id),
  ADD COLUMN of_occasion bigint GENERATED ALWAYS AS (CASE WHEN transaction_id < 0 THEN -transaction_id END) STORED
    REFERENCES occasions (id);
ALTER TABLE replies DROP CONSTRAINT replies_transaction_id_fkey,
  ADD CHECK (transaction_id <> 0),
  ADD COLUMN of_transaction bigint GENERATED ALWAYS AS (CASE WHEN transaction_id > 0 THEN transaction_id END) STORED
    REFERENCES transactions (id),
  ADD COLUMN of_occasion bigint GENERATED ALWAYS AS (CASE WHEN transaction_id < 0 THEN -transaction_id END) STORED
    REFERENCES occasions (id);

-- Points can be added to an occasion too. A copy writes occasions after the ledger; `rewards verify` looks for the missing ones.
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
    WHERE adds_to >= 0 AND (SELECT id FROM transactions WHERE transactions.id = appended.adds_to) IS NULL)
  THEN
    RAISE EXCEPTION 'points are added to a transaction' USING ERRCODE = 'foreign_key_violation';
  END IF;
  PERFORM pg_notify('rewards_ledger', batch.last::text);
  RETURN NULL;
END $$;

ALTER TABLE events DROP CONSTRAINT events_type_check;
ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type IN (
  'transactions', 'user.created', 'user.updated', 'user.deactivated',
  'redemption.requested', 'redemption.fulfilled', 'redemption.declined', 'occasion.celebrated'
));

CREATE FUNCTION event_of_an_occasion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_events(ARRAY['occasion.celebrated'], ARRAY[NEW.id]);
  RETURN NULL;
END $$;

CREATE TRIGGER event_of_an_occasion AFTER INSERT ON occasions
FOR EACH ROW EXECUTE FUNCTION event_of_an_occasion();
