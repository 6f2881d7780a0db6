import { availableParallelism } from "node:os"
import { listeningUrl } from "../config/rules.ts"
import type { SecretlessConfig } from "../config/settings.ts"
import { createAuditLog } from "../domain/audit/audit-log.ts"
import { createHashing, maxHashing } from "../domain/auth/hashing.ts"
import { createRateLimiter } from "../domain/auth/rate-limiter.ts"
import { createCalendar } from "../domain/calendar.ts"
import type { Clock } from "../domain/clock.ts"
import { createMakeOnce } from "../domain/idempotency/idempotency.ts"
import { createMailJobs } from "../domain/jobs/jobs.ts"
import { createProgramme } from "../domain/programme/programme.ts"
import { createSealedSecrets } from "../security/secrets.ts"
import type { OpenStore } from "../storage/open-store.ts"
import type { Log } from "../support/log.ts"
import { rootCodeOf } from "../support/system-errors.ts"

interface Parts {
  readonly config: SecretlessConfig
  readonly clock: Clock
  readonly log: Log
  readonly store: OpenStore
  readonly onEnqueue: () => void
}

export type Shared = ReturnType<typeof wireShared>

/** What the rules of several rooms need. */
export function wireShared(parts: Parts) {
  const { config, clock, log, store, onEnqueue } = parts
  const { security, email, server } = config
  const secret = security.secret_key ?? crypto.randomUUID() // only commands that sign no token have none
  return {
    ...parts,
    secret,
    calendar: createCalendar(config.service.time_zone),
    /** Where users reach this server. `serve` updates it once the port is known. */
    address: { url: server.base_url ?? listeningUrl(server, server.port) },
    programme: createProgramme({
      store,
      clock,
      firstTags: config.recognition.tags,
      elapsed: () => performance.now(),
    }),
    hashing: createHashing(security.bcrypt_cost, { atOnce: availableParallelism() > 2 ? maxHashing : 1 }),
    rateLimiter: createRateLimiter({ store, clock, secret }),
    makeOnce: createMakeOnce({ store, clock, secrets: createSealedSecrets(secret, "idempotency keys") }),
    mailJobs: createMailJobs({
      clock,
      maxAttempts: config.jobs.max_attempts,
      delayMs: email.debug_mode ? email.debug_delay_seconds * 1000 : 0,
      wake: onEnqueue,
    }),
    auditLog: createAuditLog({
      store,
      clock,
      keepDays: config.audit.keep_days,
      onFailure: (error, waiting) =>
        log.error("the audit log cannot be written; retrying", { error: rootCodeOf(error), waiting }),
    }),
  }
}
