-- What an action changed: a JSON object of the values before, and one of those after, by the names of the interface. People stand in
-- them as their ids, so that nobody's name outlives a change of it. NULL where there was nothing, or only a secret.
ALTER TABLE audit ADD COLUMN before_values text COLLATE "C";
ALTER TABLE audit ADD COLUMN after_values text COLLATE "C";

-- An erasure deletes values too.
CREATE OR REPLACE FUNCTION audit_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
    OR (NEW.address IS DISTINCT FROM OLD.address AND NEW.address IS NOT NULL)
    OR (NEW.detail IS DISTINCT FROM OLD.detail AND NEW.detail IS NOT NULL)
    OR (NEW.before_values IS DISTINCT FROM OLD.before_values AND NEW.before_values IS NOT NULL)
    OR (NEW.after_values IS DISTINCT FROM OLD.after_values AND NEW.after_values IS NOT NULL)
    OR (NEW.who IS DISTINCT FROM OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
    OR (NEW.whom IS DISTINCT FROM OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
    OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%'
      OR (OLD.action = 'manager_changed' AND NEW.address IS NOT DISTINCT FROM OLD.address))
  THEN
    RAISE EXCEPTION 'an audit entry is never modified' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
