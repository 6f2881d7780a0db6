-- The kinds of a lane share places in the worker. What was enqueued before shares those of mail, as before.
ALTER TABLE jobs ADD COLUMN lane TEXT NOT NULL DEFAULT 'mail';
-- Of the jobs with the same number, one runs at a time.
ALTER TABLE jobs ADD COLUMN turn_of INTEGER;
DROP INDEX jobs_by_due;
CREATE INDEX jobs_by_lane ON jobs (lane, coalesce(locked_until, run_at)) WHERE finished_at IS NULL;
CREATE INDEX jobs_by_turn ON jobs (turn_of, coalesce(locked_until, run_at)) WHERE turn_of IS NOT NULL AND finished_at IS NULL;

-- How many times one after the other the push service of a device did not answer at all, and since when.
ALTER TABLE push_devices ADD COLUMN silences INTEGER NOT NULL DEFAULT 0;
ALTER TABLE push_devices ADD COLUMN silent_since INTEGER;
