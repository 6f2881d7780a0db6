import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { operatorOf } from "../../../../src/cli/support/app.ts"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import type { DeliveryState } from "../../../../src/domain/webhooks/model.ts"
import { migrations } from "../../../../src/storage/sqlite/database/migrations.ts"
import { diagnose } from "../../../../src/storage/sqlite/maintenance/diagnose.ts"
import { appendAuditEntry } from "../../../../src/storage/sqlite/maintenance/maintenance.ts"
import { writeWatermark } from "../../../../src/storage/sqlite/maintenance/watermark.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, hashOf, person, threePeople } from "../../contract/people.ts"
import { bytesOf, plainly, silent, testFolder } from "../../files.ts"
import { foundFutureTimes, timeNow, writeFutureTimes } from "../../future-times.ts"

const diagnosed = (path: string, dueBy = 0, verifyMb = 4) =>
  diagnose({ path, now: Date.now(), dueBy, expiringBy: 1_000, verifyMb })

test("reports the last date, admin's password and overdue jobs, even while others have the database open", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const { ana, bruno } = await threePeople(store)
  await store.users.create(person("Admin"))
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 77 }, allow)
  const job = { kind: "mail", payload: {}, maxAttempts: 2, retryUntil: 99, createdAt: 1 }
  for (const runAt of [10, 20, 30]) await store.jobs.enqueue({ ...job, runAt })
  const claimed = await store.jobs.claim("w", 10, 5, "mail")
  await store.jobs.endAttempt(
    claimed?.id ?? 0,
    "w",
    { state: "available", error: "ETIMEDOUT", runAt: 40, isTemporary: false },
    10,
  )

  const found = {
    ...{ pending: [], damage: [], behindWatermark: null, lastDate: 77, adminPassword: hashOf("Admin") },
    adminEmail: "admin@example.com",
    superusersWithoutFactor: [],
    webhooks: [],
    tokens: { endless: [], expiring: [] },
    ...{ lastBackupAt: null, bytes: expect.any(Number), discarded: { count: 0, newest: null }, futureTimes: [] },
    refusedMail: { count: 0, newest: null },
  }
  expect(await diagnosed(path, 30)).toEqual({ ...found, overdue: { count: 2, lastError: "ETIMEDOUT" } })
  expect(await diagnosed(path, 1)).toEqual({ ...found, overdue: { count: 0, lastError: null } })

  await store.close()
  expect(await diagnosed(path)).toMatchObject(found)
  expect(readdirSync(folder.path).sort()).toEqual([".rewards.db.lock", "rewards.db", "rewards.db.mark"])
})

test("says of a webhook why its message waits, or why the last one was given up", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const hook = { url: "https://hooks.example.com/", events: [], format: "slack", description: null } as const
  const audit = auditEntry({ who: "ana", way: "http", address: null }, 1, "webhook_added")
  const { id } = await store.webhooks.create({ ...hook, isActive: true, secret: "", setting: null }, audit)
  const told = async (eventId: number | null, state: DeliveryState, error: string | null) => {
    const attempt = { attemptedAt: 1, durationMs: 1, status: 400, response: "", error }
    await store.webhooks.saveAttempt(id, { eventId, state, attempt })
    const [{ lastError, lastRefusal } = {}] = (await diagnosed(path)).webhooks
    return [lastError, lastRefusal]
  }

  expect(await told(1, "failed", "answered 400")).toEqual([null, "answered 400"])
  expect(await told(null, "failed", "of a test")).toEqual([null, "answered 400"])
  expect(await told(2, "delivered", null)).toEqual([null, null])
  expect(await told(3, "waiting", "answered 503")).toEqual(["answered 503", null])
  await store.close()
})

test("names the API tokens that never expire or soon expire", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const { ana } = await threePeople(store)
  const audit = auditEntry({ who: "ana", way: "http", address: null }, 1, "token_created")
  for (const [name, scopes, expiresAt] of [
    ["Directory", ["read", "admin"], null],
    ["Bot", ["give"], null],
    ["Report", ["read"], 999],
    ["Later", ["admin"], 1_000],
  ] as const)
    await store.apiTokens.create(
      {
        userId: ana.id,
        kind: "service",
        name,
        prefix: "rwd_",
        hash: Bun.SHA256.hash(name, "hex"),
        scopes,
        createdAt: 1,
        expiresAt,
      },
      9,
      audit,
    )

  expect((await diagnosed(path)).tokens).toEqual({ endless: ["1 (Directory)"], expiring: ["3 (Report)"] })
  await store.close()
})

test("reports how many stored times a wrong clock has written, by column, and the latest of them", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  await writeFutureTimes(store)
  await store.close()

  const { futureTimes } = await diagnose({ path, now: timeNow, dueBy: 0, expiringBy: 0, verifyMb: 4 })
  expect(futureTimes.filter(({ column }) => column !== "events.at")).toEqual(foundFutureTimes)
})

test("reports the size and the time of the last backup", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await (await openStore({ path, log: silent })).close()
  for (const at of [30, 50, 40, Date.now() + 86_400_000])
    appendAuditEntry(path, auditEntry(operatorOf({ env: {}, user: "olga" }), at, "backup"))

  expect(await diagnosed(path)).toMatchObject({ lastBackupAt: 50, bytes: bytesOf(path) })
})

test("reports transactions that the watermark records and the ledger lacks", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await (await openStore({ path, log: silent })).close()
  writeWatermark(path, { lastId: 3, hash: "00".repeat(32) })

  expect((await diagnosed(path)).behindWatermark).toBe("transactions 1 to 3, which were recorded, are missing")
})

test("reports damage", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  await threePeople(store)
  await store.close()
  {
    using client = plainly(path)
    client.run("PRAGMA ignore_check_constraints = ON")
    client.run("UPDATE users SET name = '' WHERE id = 1")
  }

  expect((await diagnosed(path)).damage).toContain("file: CHECK constraint failed in users")
  expect((await diagnosed(path, 0, 0)).damage).toEqual(["CHECK constraint failed in users"])
})

test("reports missing migrations and applies none", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  plainly(path).close()

  const tags = migrations.map(({ tag }) => tag)
  expect(await diagnosed(path)).toMatchObject({ pending: tags, damage: [] })
  expect(await diagnosed(path)).toMatchObject({ pending: tags })
})

test("refuses a file that cannot be opened or belongs to another program", async () => {
  await using folder = await testFolder()
  const [letter, none] = [folder.file("letter.db"), folder.file("none.db")]
  await Bun.write(letter, "Dear Ana,\nthese are no points.\n".repeat(100))

  await expect(diagnosed(letter)).rejects.toThrow("it is not a database of rewards")
  await expect(diagnosed(none)).rejects.toThrow("it cannot be opened")
  expect(readdirSync(folder.path)).toEqual(["letter.db"])
})
