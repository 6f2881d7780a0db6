-- Equal entries of one minute are one, with their count and the last time. What people change of themselves in a minute, but
-- for their name, is one entry too: the first values before, and the last after.
CREATE OR REPLACE FUNCTION audit_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (
      (NEW.id, NEW.action, NEW.way) = (OLD.id, OLD.action, OLD.way)
      AND NEW.who IS NOT DISTINCT FROM OLD.who AND NEW.whom IS NOT DISTINCT FROM OLD.whom
      AND NEW.address IS NOT DISTINCT FROM OLD.address AND NEW.detail IS NOT DISTINCT FROM OLD.detail
      AND NEW.count > OLD.count AND NEW.at >= OLD.at AND NEW.at / 60000 = OLD.at / 60000
      AND ((NEW.before_values IS NOT DISTINCT FROM OLD.before_values AND NEW.after_values IS NOT DISTINCT FROM OLD.after_values)
        OR (OLD.action = 'profile_changed' AND OLD.way = 'http' AND OLD.who IS NOT NULL AND OLD.who IS NOT DISTINCT FROM OLD.whom
          AND OLD.detail IS NULL))
    )
    AND ((NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
      OR (NEW.address IS DISTINCT FROM OLD.address AND NEW.address IS NOT NULL)
      OR (NEW.detail IS DISTINCT FROM OLD.detail AND NEW.detail IS NOT NULL)
      OR (NEW.before_values IS DISTINCT FROM OLD.before_values AND NEW.before_values IS NOT NULL)
      OR (NEW.after_values IS DISTINCT FROM OLD.after_values AND NEW.after_values IS NOT NULL)
      OR (NEW.who IS DISTINCT FROM OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
      OR (NEW.whom IS DISTINCT FROM OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
      OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%'
        OR (OLD.action = 'manager_changed' AND NEW.address IS NOT DISTINCT FROM OLD.address)))
  THEN
    RAISE EXCEPTION 'an audit entry is never modified' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE INDEX audit_by_target ON audit (action, coalesce(whom, ''), at, id);
