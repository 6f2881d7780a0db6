DROP TABLE old_transactions;

CREATE TRIGGER transactions_are_never_modified BEFORE UPDATE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never modified');
END;

CREATE TRIGGER transactions_are_never_deleted BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'a transaction is never deleted');
END;

-- INSERT OR REPLACE would delete without asking the trigger above.
CREATE TRIGGER transactions_only_ascend BEFORE INSERT ON transactions
WHEN NEW.id <= (SELECT last_id FROM ledger_state)
BEGIN
  SELECT RAISE(ABORT, 'ids of transactions ascend');
END;
