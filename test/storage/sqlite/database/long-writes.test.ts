import { expect, test } from "bun:test"
import { join } from "node:path"
import { DomainError } from "../../../../src/domain/errors.ts"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { createPeopleStore } from "../../../../src/storage/people/people.ts"
import { raw } from "../../../../src/storage/sql.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { until } from "../../../support/until.ts"
import { allow, person, refusalOf, threePeople } from "../../contract/people.ts"
import { change, codeThrownBy, connect, plainly, silent, storesOn, testFolder } from "../../files.ts"

const many = Array.from({ length: 20_000 }, (_, index) => person(`Person${index}`))
const merging = { create: many, update: [], entries: [], jobs: [] }

/** Runs `look` in each turn of the event loop until the promise settles; answers how often. */
async function lookUntil(settled: Promise<unknown>, look: () => Promise<void>): Promise<number> {
  let isRunning = true
  const ended = settled.finally(() => {
    isRunning = false
  })
  let looks = 0
  for (; isRunning; looks += 1) {
    await look()
    await new Promise(setImmediate)
  }
  await ended
  return looks
}

test("while 20,000 people are imported, reads are answered and see either all of them or none", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const { users } = storesOn(connection)
  const people = createPeopleStore(connection.database)
  await threePeople({ users })
  const search = () => people.search({ words: ["person19999"], dept: null, active: true, after: null, size: 1 })
  const seen = new Set<string>()

  const looks = await lookUntil(users.merge(merging), async () => {
    const found = await Promise.all(["person0", "person19999"].map((username) => users.byUsername(username)))
    seen.add(found.map((user) => user?.name ?? "nobody").join(", "))
    expect(await users.byUsername("ana")).toMatchObject({ name: "Ana" })
  })

  expect([...seen].slice(0, 1)).toEqual(["nobody, nobody"])
  expect(["nobody, nobody", "Person0, Person19999"]).toEqual(expect.arrayContaining([...seen]))
  expect(looks).toBeGreaterThan(20) // a look asks four times, and the import gets its share of each tick
  expect(await users.byUsername("person19999")).toMatchObject({ name: "Person19999" })
  expect((await search()).items).toMatchObject([{ name: "Person19999" }])
  expect(await users.list()).toHaveLength(20_003)
})

test("a transfer during an import waits for its end, however long that takes, and succeeds", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), { lockTimeoutMs: 0 })
  const { users, ledger } = storesOn(connection)
  const { ana, bruno } = await threePeople({ users })
  const ended: string[] = []

  const merged = users.merge(merging).then(() => ended.push("import"))
  const posted = ledger
    .post({ kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
    .then(() => ended.push("transfer"))
  await Promise.all([merged, posted])

  expect(ended).toEqual(["import", "transfer"])
  expect(await users.balanceOf(bruno.id)).toBe(5)
})

test("an import whose last row fails stores nothing, and the next writes work", async () => {
  await using folder = await testFolder()
  const failures: unknown[] = []
  await using connection = await connect(folder.file("rewards.db"), { failures })
  const { users } = storesOn(connection)
  await threePeople({ users })
  const lookalike = person("Ana", { username: "аna", email: "other@example.com" }) // its first letter is Cyrillic

  const refusal = await refusalOf(users.merge({ ...merging, create: [...many, lookalike] }))
  const merged = await users.merge({ ...merging, create: [...many, person("Ana")] })
  await users.create(person("Davi"))

  expect(refusal).toBeInstanceOf(DomainError)
  expect(merged).toBeFalse()
  expect((await users.list()).map(({ name }) => name)).toEqual(["Ana", "Bruno", "Carla", "Davi"])
  expect(failures).toEqual([])
})

test("a process that is killed in the middle of an import stores nothing of it", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")

  const program = join(import.meta.dir, "../../killed-while-merging.ts")
  const child = Bun.spawn([process.execPath, program, path], { stderr: "inherit" })
  await child.exited

  expect(child.signalCode).toBe("SIGKILL")
  const store = await openStore({ path, log: silent })
  expect((await store.users.list()).map(({ name }) => name)).toEqual(["Ana", "Bruno", "Carla"])
  expect(await store.users.merge(merging)).toBeTrue()
  await store.close()
})

test("during a grant to 5,000, reads see the balances before or after it; then everything is as after any commit", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const commits: number[] = []
  const { users, ledger } = storesOn(connection, ({ entries }) => void commits.push(entries))
  const { ana, bruno } = await threePeople({ users })
  await users.merge({ ...merging, create: many.slice(0, 5000) })
  const receivers = (await users.list()).filter(({ id }) => id > 3)
  await ledger.post({ kind: "transfer" as const, senderId: bruno.id, receiverId: ana.id, value: 7, date: 1 }, allow)
  let told = 0
  ledger.onAppend(() => {
    told += 1
  })
  const entries = receivers.map(({ id }) => ({
    kind: "transfer" as const,
    senderId: ana.id,
    receiverId: id,
    value: 2,
    date: 1,
  }))
  const [first, last] = [receivers[0]?.id ?? 0, receivers.at(-1)?.id ?? 0]
  const seen = new Set<string>()

  const granted = ledger.postAll(entries, (balanceOf) => void balanceOf(ana.id))
  const looks = await lookUntil(granted, async () => {
    const balanceOf = await users.balancesOf([ana.id, first, last])
    seen.add([ana.id, first, last].map(balanceOf).join(", "))
  })

  expect(looks).toBeGreaterThan(10)
  expect(["7, 0, 0", "-9993, 2, 2"]).toEqual(expect.arrayContaining([...seen]))
  const { transactions, balance } = await granted
  expect([transactions.length, transactions.at(-1)?.id, balance, told, commits]).toEqual([
    5000,
    5001,
    -9993,
    1,
    [1, 5000],
  ])

  const balances: number[] = []
  const entry = { kind: "transfer" as const, senderId: last, receiverId: ana.id, value: 1, date: 1 }
  expect(await ledger.post(entry, ({ sender, receiver }) => void balances.push(sender, receiver))).toMatchObject({
    id: 5002,
  })
  expect(balances).toEqual([2, -9993])
  expect(told).toBe(2)
})

test("a refused grant to many changes nothing, and the writes that wait with it succeed", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const commits: number[] = []
  const { users, ledger } = storesOn(connection, ({ entries }) => void commits.push(entries))
  const { ana, bruno } = await threePeople({ users })
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }
  const refuse = () => {
    throw new DomainError("insufficient_balance")
  }

  const [before, refusal, small, after] = await Promise.all([
    ledger.post(entry, allow),
    refusalOf(ledger.postAll(Array(3000).fill(entry), refuse)),
    ledger.postAll(Array(500).fill(entry), allow),
    ledger.post(entry, allow),
  ])

  expect([before.id, small.transactions[0]?.id, after.id]).toEqual([1, 2, 502])
  expect(refusal).toMatchObject({ code: "insufficient_balance" })
  expect(commits).toEqual([1, 3000, 501])
  expect(await users.balanceOf(bruno.id)).toBe(502)
})

test("a long write that finds the lock held is refused after the time limit; one that waits gets its turn", async () => {
  await using folder = await testFolder()
  await using impatient = await connect(folder.file("rewards.db"), { lockTimeoutMs: 0 })
  await using patient = await connect(folder.file("rewards.db"), { lockTimeoutMs: 60_000 })
  using other = plainly(folder.file("rewards.db"))
  other.run("BEGIN IMMEDIATE")

  const refusal = await refusalOf(storesOn(impatient).users.merge({ ...merging, create: [person("Ana")] }))
  const merged = storesOn(patient).users.merge({ ...merging, create: [person("Ana")] })
  await Bun.sleep(1)
  other.run("ROLLBACK")

  expect(refusal).toMatchObject({ code: "unwritable", cause: { code: "SQLITE_BUSY" } })
  expect(await merged).toBeTrue()
})

test("a long write holds the lock while it yields, and its failed commit is reported like any other", async () => {
  await using folder = await testFolder()
  const failures: unknown[] = []
  await using connection = await connect(folder.file("rewards.db"), { failures })
  using other = plainly(folder.file("rewards.db"))
  const codes: unknown[] = []

  const failing = connection.database.write(async (tx) => {
    tx.send(raw("PRAGMA defer_foreign_keys = ON"))
    await tx.run(raw("INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)"))
    await nextTick()
    codes.push(codeThrownBy(() => other.run("BEGIN IMMEDIATE")))
  })

  const refusal = await refusalOf(failing)
  expect(refusal).toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" })
  expect(codes).toEqual(["SQLITE_BUSY"])
  await until(() => failures.length > 0)
  expect(failures).toEqual([refusal])
  expect(await refusalOf(change(connection, "UPDATE ledger_state SET last_date = 1"))).toBe(refusal)
})
