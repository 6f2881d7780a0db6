import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { createHealth } from "../../../src/storage/sqlite/health.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../contract/people.ts"
import { bytesOf, connect, silent, testFolder } from "../files.ts"

test("the health reading shows ledger, jobs and files", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const none = { available: 0, running: 0, completed: 0, discarded: 0 }
  expect(await store.health.read(5000)).toMatchObject({ transactions: 0, jobs: none, waitingMs: 0 })

  const { ana, bruno } = await threePeople(store)
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
  const enqueue = (runAt: number) =>
    store.jobs.enqueue({ kind: "mail", payload: {}, maxAttempts: 3, retryUntil: 9000, runAt, createdAt: 500 })
  const [claimed] = [await enqueue(1000), await enqueue(3000), await enqueue(4000), await enqueue(9000)]
  await store.jobs.claim("w1", 1000, 60_000, "mail")

  expect(await store.health.read(5000)).toEqual({
    transactions: 1,
    jobs: { ...none, available: 3, running: 1 },
    discarded: { count: 0, newest: null },
    waitingMs: 4500,
    webhooks: { active: 0, failing: 0, stopped: 0 },
    databaseBytes: bytesOf(path),
    walBytes: bytesOf(`${path}-wal`),
  })
  expect(bytesOf(`${path}-wal`)).toBeGreaterThan(0)
  await store.jobs.endAttempt(claimed?.id ?? 0, "w1", { state: "completed", result: "sent" }, 5000)
  expect(await store.health.read(2000)).toMatchObject({ jobs: { ...none, available: 3, completed: 1 }, waitingMs: 0 })
  await store.close()
})

test("the write check reaches the log each time and changes nothing", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const before = await store.health.read(0)
  const sizes = [bytesOf(`${path}-wal`)]
  for (let count = 0; count < 2; count += 1) {
    expect(await store.health.checkWritable()).toBeNull()
    sizes.push(bytesOf(`${path}-wal`))
  }
  expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0)
  expect(sizes[2]).toBeGreaterThan(sizes[1] ?? 0)
  expect(await store.health.read(0)).toEqual({ ...before, walBytes: sizes[2] ?? 0 })
  await store.close()
})

test("a failed write check gives SQLite's code, without file names", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await using connection = await connect(path, { lockTimeoutMs: 0 })
  const health = createHealth(connection.database, path)
  using other = new Database(path)
  other.run("BEGIN IMMEDIATE")
  expect(await health.checkWritable()).toBe("SQLITE_BUSY")
})

test("discarded jobs are counted, and the newest is shown without addresses", async () => {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  for (const [kind, lane, at] of [
    ["invitation", "invitations", 7000],
    ["reset_mail", "accounts", 6000],
  ] as const) {
    const job = { kind, payload: {}, maxAttempts: 3, retryUntil: 9000, runAt: 1000, createdAt: 0 }
    const { id } = await store.jobs.enqueue(job)
    await store.jobs.claim("w1", 5000, 60_000, lane)
    await store.jobs.endAttempt(id, "w1", { state: "discarded", error: `550 <ana@example.com>: no ${kind}` }, at)
  }

  expect((await store.health.read(8000)).discarded).toEqual({
    count: 2,
    newest: { kind: "invitation", at: 7000, error: "550 <…@…>: no invitation" },
  })
  await store.close()
})
