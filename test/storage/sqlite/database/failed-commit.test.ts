import { expect, test } from "bun:test"
import { join } from "node:path"
import { createJobStore } from "../../../../src/storage/jobs.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { createLedgerStore } from "../../../../src/storage/sqlite/ledger/ledger.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, person, refusalOf, threePeople } from "../../contract/people.ts"
import { connect, plainly, silent, testFolder } from "../../files.ts"
import type { Report } from "../../until-the-disk-fails.ts"

/**
 * Makes the COMMIT of the running transaction fail, and nothing before it: a foreign key that is looked at only then
 * leads nowhere. The refusal is SQLite's own.
 */
function spoilCommit({ writer }: Connection) {
  writer.run("PRAGMA defer_foreign_keys = ON")
  writer.run("INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)")
}

test("a failed commit rejects the whole batch and is reported once, and nothing is written after it", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const failures: unknown[] = []
  await using connection = await connect(path, { failures })
  const [users, ledger, jobs] = [
    createUserStore(connection),
    createLedgerStore(connection),
    createJobStore(connection.database),
  ]
  const { ana, bruno } = await threePeople({ users })
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  await ledger.post(entry, allow)
  let told = 0
  ledger.onAppend(() => {
    told += 1
  })

  const batch = await Promise.all([
    refusalOf(ledger.post(entry, allow)),
    refusalOf(ledger.post(entry, () => spoilCommit(connection))),
    refusalOf(ledger.post(entry, allow)),
  ])

  const [failure] = failures
  expect(failure).toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" })
  expect(batch).toEqual([failure, failure, failure])
  expect(await refusalOf(ledger.post(entry, allow))).toBe(failure)
  expect(await refusalOf(users.create(person("Davi")))).toBe(failure)
  const job = { kind: "mail", payload: {}, maxAttempts: 1, retryUntil: 9, runAt: 1, createdAt: 1 }
  expect(await refusalOf(jobs.enqueue(job))).toBe(failure)
  expect([failures, told]).toEqual([[failure], 0])

  using other = plainly(path)
  expect(other.query("SELECT id FROM transactions").all()).toEqual([{ id: 1 }])
  expect(other.query("SELECT value FROM balances ORDER BY user_id").values()).toEqual([[-5], [5]])
})

test("what a failed commit did not write cannot be read", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const [users, ledger] = [createUserStore(connection), createLedgerStore(connection)]
  const { ana, bruno } = await threePeople({ users })

  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  await refusalOf(ledger.post(entry, () => spoilCommit(connection)))

  expect(await ledger.after(0, 10)).toEqual([])
  expect(await users.balanceOf(bruno.id)).toBe(0)
})

test("a failed commit is reported even when the transaction cannot be rolled back", async () => {
  await using folder = await testFolder()
  const failures: unknown[] = []
  await using connection = await connect(folder.file("rewards.db"), { failures })
  const { writer: client } = connection
  const run = client.run.bind(client)
  const broken = (sql: string) => {
    if (sql === "ROLLBACK") throw new Error("disk I/O error")
    return run(sql)
  }

  Object.assign(client, { run: broken })
  await expect(connection.write(() => spoilCommit(connection))).rejects.toThrow("disk I/O error")
  Object.assign(client, { run })

  expect(failures).toMatchObject([{ code: "SQLITE_CONSTRAINT_FOREIGNKEY" }])
})

test("a full disk loses nothing acknowledged and records nothing refused", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")

  // The system refuses to write beyond this size (in blocks of 512 or 1,024 bytes): a commit fails in its middle.
  const child = Bun.spawn(
    ["sh", "-c", `trap "" XFSZ; ulimit -f 1500; exec "$0" "$@"`, process.execPath, program, path],
    { stdout: "pipe", stderr: "inherit" },
  )
  const report: Report = await new Response(child.stdout).json()

  expect(report).toEqual({
    acknowledged: expect.any(Number),
    batch: ["rejected", "rejected", "rejected"],
    later: ["rejected", "rejected"],
    failures: [expect.stringMatching(/^SQLITE_(IOERR_WRITE|FULL)$/)],
  })
  expect(report.acknowledged).toBeGreaterThan(0)
  const store = await openStore({ path, log: silent })
  const { acknowledged } = report
  const values = await store.ledger.page({ page: 1, size: 10_000 })
  expect(values.items.map(({ value }) => value)).toEqual(Array.from({ length: acknowledged }, (_, index) => index + 1))
  const sum = (acknowledged * (acknowledged + 1)) / 2
  expect((await store.users.list()).map(({ balance }) => balance)).toEqual([-sum, sum, 0])
  await store.close()
})

const program = join(import.meta.dir, "../../until-the-disk-fails.ts")
