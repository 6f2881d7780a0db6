import { createCalendar } from "../../../src/domain/calendar.ts"
import { createLeaderboardSnapshots } from "../../../src/domain/recognition/leaderboards.ts"
import { type CopyTarget, copy } from "../../../src/storage/copy/copy.ts"
import type { Maintenance } from "../../../src/storage/maintenance.ts"
import { maintenanceOf as maintenanceOfPostgres } from "../../../src/storage/postgres/maintenance/maintenance.ts"
import { maintenanceOf as maintenanceOfSqlite } from "../../../src/storage/sqlite/maintenance/maintenance.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../contract/people.ts"
import { plainly, silent } from "../files.ts"
import { urlOf } from "../postgres/maintenance/support.ts"

/** `place` is a file or a URL. */
export const maintenanceAt = (place: string): Maintenance =>
  place.startsWith("postgres://") ? maintenanceOfPostgres(urlOf(place)) : maintenanceOfSqlite(place)

/** Copies in pages of 100 rows. `wrapped` wraps the target, so that it can fail or die at any write. */
export const copyBetween = (from: string, to: string, wrapped = (target: CopyTarget) => target) =>
  maintenanceAt(from).asSource((source) =>
    maintenanceAt(to).asTarget((target) =>
      copy({ source, target: wrapped(target), now: 1, onProgress: () => {}, pageLength: 100 }),
    ),
  )

/**
 * Writes a database file with rows in every table: 700 transactions among three people, notes, an erased note,
 * reversals.
 */
export async function writeHouse(path: string) {
  const store = await openStore({ path, log: silent })
  const { ana, bruno, carla } = await threePeople(store)
  const people = [ana.id, bruno.id, carla.id]
  for (let count = 0; count < 700; count += 1) {
    const [senderId = 0, receiverId = 0] = [people[count % 3], people[(count * count) % 3]]
    const note =
      count % 5 === 0
        ? { reason: `Thanks ${count} 🎉`, tags: ["help", "team"], isPrivate: count % 10 === 0 }
        : undefined
    const kind = count === 7 ? "redemption" : "transfer" // its row follows below
    await store.ledger.post(
      { kind, senderId, receiverId, value: 1 + (count % 300), date: 1_000 + count, note },
      allow,
      count % 100 === 0
        ? {
            idempotencyKey: { key: `key ${count}`, requestHash: "hash", expiresAt: 9_000 },
            reference: { name: `№ ${count}`, requestHash: "hash" },
          }
        : {},
    )
  }
  await store.ledger.post(
    { kind: "reversal", reverses: 2, senderId: bruno.id, receiverId: bruno.id, value: 2, date: 3_000 },
    allow,
  )
  await createLeaderboardSnapshots({
    store,
    calendar: createCalendar("UTC"),
    clock: () => 3_000,
    saveEvery: 1,
  }).refresh()
  await store.events.recordTransactions(1000, 3_000)
  await store.close()

  using client = plainly(path)
  const hash = "a".repeat(64)
  const far = Date.now() + 3_600_000
  for (const sql of [
    "INSERT INTO erasures VALUES (6, 4000)",
    `INSERT INTO avatars VALUES ('${hash}', 'png', x'00ff10')`,
    `UPDATE users SET avatar = '/api/v1/avatars/${hash}', bio = 'Line one' || char(10) || 'two' WHERE id = 1`,
    "UPDATE users SET deactivated_at = 5 WHERE id = 3",
    `INSERT INTO sessions VALUES ('one', 'ana', ${far}, 1, '127.0.0.1', 'login'), ('two', 'bruno', ${far}, NULL, NULL, NULL)`,
    "INSERT INTO spent_tokens VALUES ('token', 5)",
    "INSERT INTO external_ids VALUES (2, '00u1')",
    "INSERT INTO renames VALUES (4, 1, 'anna', 'anna', 7)",
    "INSERT INTO identities VALUES ('https://login.example.com', 'é', 1, 5), ('https://login.example.com', 'a', 2, 5)",
    `INSERT INTO api_tokens VALUES (4, 2, 'service', 'Bot', 'rwd_abcd', '${"a".repeat(64)}', 'read,give', 1, NULL, 2, '10.0.0.1')`,
    `INSERT INTO second_factors VALUES (3, 1, 'passkey', 'é', 'id', 'usb', 'key', 7, 5, 6),
       (8, 2, 'totp', 'Phone', NULL, NULL, 'sealed', 0, 5, NULL), (9, 2, 'totp', 'Gone', NULL, NULL, 'sealed', 0, 5, NULL)`,
    "DELETE FROM second_factors WHERE id = 9",
    "INSERT INTO totp_setups VALUES (1, 'sealed', 5), (2, 'é', 5)",
    "INSERT INTO recovery_codes VALUES (1, 'a'), (1, 'é'), (2, 'a')",
    "INSERT INTO login_sources VALUES (1, '10.0.0.1', 5), (1, '10.0.0.2', 5), (2, '10.0.0.1', 5)",
    "INSERT INTO rate_limits VALUES ('login', 'a', 3, 5), ('login', 'é', 1, 5), ('mail', 'a', 1, 5)",
    `INSERT INTO jobs (id, kind, payload, state, attempts, max_attempts, retry_until, run_at, created_at)
     VALUES (4, 'mail', '{"to":"ana@example.com","at":{"z":1,"a":[2,1]}}', 'available', 0, 3, 9, 8, 7), (9, 'mail', '{}', 'available', 0, 3, 9, 8, 7)`,
    "DELETE FROM jobs WHERE id = 9",
    "INSERT INTO scheduled_work VALUES ('backup', 5, NULL, NULL)",
    `INSERT INTO allowances (id, name, value, mode, period, due_day, due_time, audience, catch_up, active, due_from)
     VALUES (3, 'Monthly', 50, 'add', 'month', '1', '09:00', '{"everyone":true}', 'latest', 1, 5)`,
    "INSERT INTO allowance_members VALUES (3, 1), (3, 2)",
    `INSERT INTO allowance_runs (id, allowance_id, period, first_day, begun_at, value, mode, audience)
     VALUES (2, 3, 'month', '2026-01-01', 5, 50, 'add', '{"everyone":true}')`,
    "INSERT INTO occasions VALUES (6291459, 1, 'birthday', 2026, NULL, 'Happy birthday, {name}!', 6, NULL)",
    "INSERT INTO reactions VALUES (-6291459, '🎂', 2), (6, '🎉', 1), (6, '👏', 1), (6, '🎉', 2)",
    "INSERT INTO replies VALUES (6291457, 6, 1, 'Thank you', 5, 0), (6291458, 6, 2, NULL, 6, 1)",
    "INSERT INTO reply_notices VALUES (2, 6291457), (3, 6291457)",
    "INSERT INTO notifications_seen VALUES (2, 6291457)",
    `INSERT INTO reason_templates VALUES (1, '["For the review"]')`,
    `INSERT INTO programme VALUES (1, '{"reason":"required"}')`,
    "INSERT INTO push_keys VALUES (1, 'public', 'sealed')",
    `INSERT INTO push_devices VALUES (3, 1, 'https://push.example.com/é', 'key', 'auth', 'Phone', 5, NULL, 'one', ${far}, 2, 7),
       (7, 2, 'https://push.example.com/b', 'key', 'auth', 'Gone', 5, 6, NULL, 9, 0, NULL)`,
    "DELETE FROM push_devices WHERE id = 7",
    "INSERT INTO mail_choices VALUES (1, 'daily', NULL), (2, 'off', 'pt')",
    "INSERT INTO job_progress VALUES ('received', '701')",
    "INSERT INTO rewards (id, name, cost, stock, active) VALUES (2, 'Mug', 50, 3, 1), (5, 'Day off', 500, NULL, 0)",
    "INSERT INTO wishes VALUES (1, 2, 5), (2, 5, 6)",
    "INSERT INTO redemptions (id, reward_id, user_id, reward_name, state) VALUES (8, 2, 2, 'Mug', 'requested')",
    `INSERT INTO webhooks (id, url, events, format, active, secret, last_event)
     VALUES (3, 'https://hooks.example.com/é', '["user.created"]', 'standard', 1, 'sealed', 2)`,
    `INSERT INTO deliveries (id, webhook_id, event_id, state, attempts, created_at, attempted_at, duration_ms, status, response)
     VALUES (7, 3, 2, 'delivered', 1, 5, 5, 12, 200, 'ok'), (8, 3, 3, 'waiting', 0, 5, NULL, NULL, NULL, NULL)`,
    "INSERT INTO audit (at, action, who, way, count, detail) VALUES (50, 'login', 'ana', 'http', 1, NULL)",
    "UPDATE audit_retention SET since = 40",
  ])
    client.run(sql)
  client.run("PRAGMA wal_checkpoint(TRUNCATE)")
}
