-- What an action changed: a JSON object of the values before, and one of those after, by the names of the interface. People stand in
-- them as their ids, so that nobody's name outlives a change of it. NULL where there was nothing, or only a secret.
ALTER TABLE audit ADD COLUMN before_values TEXT CHECK (json_valid(before_values));
ALTER TABLE audit ADD COLUMN after_values TEXT CHECK (json_valid(after_values));

-- An erasure deletes values too.
DROP TRIGGER audit_is_never_modified;
CREATE TRIGGER audit_is_never_modified BEFORE UPDATE ON audit
WHEN (NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
  OR (NEW.address IS NOT OLD.address AND NEW.address IS NOT NULL)
  OR (NEW.detail IS NOT OLD.detail AND NEW.detail IS NOT NULL)
  OR (NEW.before_values IS NOT OLD.before_values AND NEW.before_values IS NOT NULL)
  OR (NEW.after_values IS NOT OLD.after_values AND NEW.after_values IS NOT NULL)
  OR (NEW.who IS NOT OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
  OR (NEW.whom IS NOT OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
  OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%'
    OR (OLD.action = 'manager_changed' AND NEW.address IS OLD.address))
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;
