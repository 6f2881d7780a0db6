import { expect, test } from "bun:test"
import { join } from "node:path"
import { createJobStore } from "../../../../src/storage/jobs.ts"
import { type OpenRuns, openHere } from "../../../../src/storage/sqlite/database/threads.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { until } from "../../../support/until.ts"
import { allow, person, refusalOf, threePeople } from "../../contract/people.ts"
import { connect, plainly, silent, storesOn, testFolder } from "../../files.ts"
import type { Report } from "../../until-the-disk-fails.ts"

/**
 * A connection whose next COMMIT fails, and nothing before it: a foreign key that is looked at only then leads nowhere. The
 * refusal is SQLite's own.
 */
function spoilable() {
  let isSpoiled = false
  const openRuns: OpenRuns = async (opening, events) => {
    const runs = await openHere(opening, events)
    const spoiling = ["PRAGMA defer_foreign_keys = ON", orphan].map((text) => runs.call({ text }, []))
    return {
      ...runs,
      run: (requests) =>
        runs.run(
          requests.map((request) =>
            request.commits && isSpoiled ? { ...request, calls: [...request.calls, ...spoiling] } : request,
          ),
        ),
    }
  }
  return {
    openRuns,
    spoil() {
      isSpoiled = true
    },
  }
}

const orphan = "INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)"

test("a failed commit rejects the whole batch and is reported once, and nothing is written after it", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const failures: unknown[] = []
  const { openRuns, spoil } = spoilable()
  await using connection = await connect(path, { failures, openRuns })
  const { users, ledger } = storesOn(connection)
  const jobs = createJobStore(connection.database)
  const { ana, bruno } = await threePeople({ users })
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  await ledger.post(entry, allow)
  let told = 0
  ledger.onAppend(() => {
    told += 1
  })

  spoil()
  const batch = await Promise.all(Array.from({ length: 3 }, () => refusalOf(ledger.post(entry, allow))))

  await until(() => failures.length > 0)
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

test("after a failed commit nothing can be read", async () => {
  await using folder = await testFolder()
  const { openRuns, spoil } = spoilable()
  const failures: unknown[] = []
  await using connection = await connect(folder.file("rewards.db"), { openRuns, failures })
  const { users, ledger } = storesOn(connection)
  const { ana, bruno } = await threePeople({ users })

  spoil()
  await refusalOf(ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow))

  expect(await refusalOf(ledger.after(0, 10))).toBe(failures[0])
  expect(await refusalOf(users.balanceOf(bruno.id))).toBe(failures[0])
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
