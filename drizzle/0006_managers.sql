-- Whom a person reports to: an active account, and nobody who reports to that person in turn. It is no foreign key, because a
-- copy writes people in the order of their ids, and users are never deleted; `rewards verify` checks it.
ALTER TABLE users ADD COLUMN manager_id INTEGER CHECK (manager_id <> id);

CREATE INDEX users_by_manager ON users (manager_id) WHERE manager_id IS NOT NULL;

DROP INDEX users_whole;
CREATE INDEX users_whole ON users (
  id, email, email_key, username, username_key, avatar, bio, password, name, dept, currency, access_version, refresh_version,
  kept_token, deactivated_at, erased_at, birthday, joined, celebrates, manager_id
);

-- The detail of a change of manager names the managers, so the erasure of a manager deletes it from the entries about others.
DROP TRIGGER audit_is_never_modified;
CREATE TRIGGER audit_is_never_modified BEFORE UPDATE ON audit
WHEN (NEW.id, NEW.at, NEW.action, NEW.way, NEW.count) <> (OLD.id, OLD.at, OLD.action, OLD.way, OLD.count)
  OR (NEW.address IS NOT OLD.address AND NEW.address IS NOT NULL)
  OR (NEW.detail IS NOT OLD.detail AND NEW.detail IS NOT NULL)
  OR (NEW.who IS NOT OLD.who AND coalesce(NEW.who NOT LIKE 'erased-%', true))
  OR (NEW.whom IS NOT OLD.whom AND coalesce(NEW.whom NOT LIKE 'erased-%', true))
  OR NOT (coalesce(NEW.who, '') LIKE 'erased-%' OR coalesce(NEW.whom, '') LIKE 'erased-%'
    OR (OLD.action = 'manager_changed' AND NEW.address IS OLD.address))
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never modified');
END;
