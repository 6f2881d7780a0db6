import { auditEntry } from "../../src/domain/audit/audit-log.ts"
import type { Store } from "../../src/domain/store.ts"
import { threePeople } from "./contract/people.ts"

const hour = 3_600_000
const day = 24 * hour

export const timeNow = 100 * day

/** Stores times of a clock that ran ten days ahead, beside those that may lie ahead. */
export async function writeFutureTimes(store: Store) {
  const { ana } = await threePeople(store)
  const job = { kind: "mail", payload: {}, maxAttempts: 2, retryUntil: timeNow, createdAt: timeNow }
  for (const runAt of [timeNow + hour, timeNow + 9 * day, timeNow + 10 * day])
    await store.jobs.enqueue({ ...job, runAt })
  const session = { username: "bruno", expiresAt: timeNow + 20 * day, address: null }
  await store.sessions.open({ ...session, idHash: "a", openedAt: timeNow }, null)
  await store.sessions.open({ ...session, idHash: "b", openedAt: timeNow + 10 * day }, null)
  const by = { who: "ana", way: "http", address: null } as const
  await store.users.setActive(ana.id, timeNow + 60_000, auditEntry(by, timeNow + 10 * day, "user_deactivated"))
}

/** What `rewards doctor` is told about them. The database itself dates events, in its own present. */
export const foundFutureTimes = [
  { column: "sessions.opened_at", count: 1, latest: timeNow + 10 * day },
  { column: "audit.at", count: 1, latest: timeNow + 10 * day },
  { column: "jobs.run_at", count: 2, latest: timeNow + 10 * day },
]
