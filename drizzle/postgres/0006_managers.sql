-- Whom a person reports to: an active account, and nobody who reports to that person in turn. It is no foreign key, because a
-- copy writes people in the order of their ids, and users are never deleted; `rewards verify` checks it.
ALTER TABLE users ADD COLUMN manager_id bigint CHECK (manager_id <> id);

CREATE INDEX users_by_manager ON users (manager_id) WHERE manager_id IS NOT NULL;

-- The detail of a change of manager names the managers, so the erasure of a manager deletes it from the entries about others.
CREATE OR REPLACE FUNCTION audit_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
    OR (NEW.address IS DISTINCT FROM OLD.address AND NEW.address IS NOT NULL)
    OR (NEW.detail IS DISTINCT FROM OLD.detail AND NEW.detail IS NOT NULL)
    OR (NEW.who IS DISTINCT FROM OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
    OR (NEW.whom IS DISTINCT FROM OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
    OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%'
      OR (OLD.action = 'manager_changed' AND NEW.address IS NOT DISTINCT FROM OLD.address))
  THEN
    RAISE EXCEPTION 'an audit entry is never modified' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
