-- Equal entries of one minute are one, with their count and the last time. What people change of themselves in a minute, but
-- for their name, is one entry too: the first values before, and the last after.
DROP TRIGGER audit_is_never_modified;
CREATE TRIGGER audit_is_never_modified BEFORE UPDATE ON audit
WHEN NOT (
    (NEW.id, NEW.action, NEW.way) = (OLD.id, OLD.action, OLD.way)
    AND NEW.who IS OLD.who AND NEW.whom IS OLD.whom AND NEW.address IS OLD.address AND NEW.detail IS OLD.detail
    AND NEW.count > OLD.count AND NEW.at >= OLD.at AND NEW.at / 60000 = OLD.at / 60000
    AND ((NEW.before_values IS OLD.before_values AND NEW.after_values IS OLD.after_values)
      OR (OLD.action = 'profile_changed' AND OLD.way = 'http' AND OLD.who IS NOT NULL AND OLD.who IS OLD.whom
        AND OLD.detail IS NULL))
  )
  AND ((NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
    OR (NEW.address IS NOT OLD.address AND NEW.address IS NOT NULL)
    OR (NEW.detail IS NOT OLD.detail AND NEW.detail IS NOT NULL)
    OR (NEW.before_values IS NOT OLD.before_values AND NEW.before_values IS NOT NULL)
    OR (NEW.after_values IS NOT OLD.after_values AND NEW.after_values IS NOT NULL)
    OR (NEW.who IS NOT OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
    OR (NEW.whom IS NOT OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
    OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%'
      OR (OLD.action = 'manager_changed' AND NEW.address IS OLD.address)))
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;

CREATE INDEX audit_by_target ON audit (action, coalesce(whom, ''), at, id);
