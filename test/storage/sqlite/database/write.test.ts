import { expect, test } from "bun:test"
import { type OpenRuns, openHere, type Runs } from "../../../../src/storage/sqlite/database/threads.ts"
import { createWrites } from "../../../../src/storage/sqlite/database/write.ts"
import { allow, person, refusalOf, threePeople } from "../../contract/people.ts"
import { change, connect, plainly, silent, storesOn, testFolder } from "../../files.ts"

const waiting = { lockTimeoutMs: 60_000 }

test("while another process holds the lock, the event loop runs and reads are answered; then the writes run in order", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), waiting)
  const { users, ledger } = storesOn(connection)
  const { ana, bruno } = await threePeople({ users })
  using other = plainly(folder.file("rewards.db"))
  other.run("BEGIN IMMEDIATE")

  const done: string[] = []
  const all = ["Davi", "Elisa", "Fabio"].map(async (name) => {
    await users.create(person(name))
    done.push(name)
  })
  const posted = ledger.post(
    { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 },
    allow,
  )
  for (let turn = 0; turn < 20; turn += 1) {
    await Bun.sleep(1)
    expect(await users.byUsername("ana")).toMatchObject({ name: "Ana" })
  }
  expect(done).toEqual([])
  other.run("ROLLBACK")
  await Promise.all([...all, posted])

  expect(done).toEqual(["Davi", "Elisa", "Fabio"])
  expect((await users.list()).map(({ name }) => name)).toEqual(["Ana", "Bruno", "Carla", "Davi", "Elisa", "Fabio"])
  expect(await users.balanceOf(bruno.id)).toBe(5)
})

test("transfers that come while another waits for the lock share one commit", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), waiting)
  const commits: number[] = []
  const { users, ledger } = storesOn(connection, ({ entries }) => void commits.push(entries))
  const { ana, bruno } = await threePeople({ users })
  using other = plainly(folder.file("rewards.db"))
  other.run("BEGIN IMMEDIATE")

  const posted: Promise<unknown>[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    posted.push(
      ledger.post({ kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow),
    )
    await Bun.sleep(1)
  }
  other.run("ROLLBACK")
  await Promise.all(posted)

  expect(commits).toEqual([1, 4])
})

test("writes that wait for the same lock give up together, and the next one may wait as long again", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const waits: (number | undefined)[] = []
  const openRuns: OpenRuns = async (opening, events) => {
    const runs = await openHere(opening, events)
    const run: Runs["run"] = (requests) => {
      for (const { begins, waitsMs } of requests) if (begins) waits.push(waitsMs)
      return runs.run(requests)
    }
    return { ...runs, run }
  }
  await using connection = await connect(path, { lockTimeoutMs: 50, openRuns })
  const { users, ledger } = storesOn(connection)
  const { ana, bruno } = await threePeople({ users })
  using other = plainly(path)
  const transfer = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  const lockedOut = { code: "unwritable", cause: { code: "SQLITE_BUSY" } }
  waits.length = 0

  other.run("BEGIN IMMEDIATE")
  const refusals = await Promise.all(
    [
      users.create(person("Davi")),
      users.create(person("Elisa")),
      ledger.post(transfer, allow),
      users.create(person("Fabio")),
    ].map(refusalOf),
  )
  other.run("ROLLBACK")
  await users.create(person("Gil"))
  await users.create(person("Hans"))

  expect(refusals).toMatchObject([lockedOut, lockedOut, lockedOut, lockedOut])
  expect(waits.slice(0, 4)).toEqual([50, 0, 0, 0])
  expect(waits[4]).toBeWithin(1, 51)
  expect(waits[5]).toBe(50)
})

test("a user who is read during a write does not stay in the cache in an old state", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), waiting)
  const { users } = storesOn(connection)
  const { ana } = await threePeople({ users })
  using other = plainly(folder.file("rewards.db"))
  other.run("BEGIN IMMEDIATE")

  const changed = users.updateProfile(ana.id, { avatar: null, bio: "new" })
  expect(await users.byUsername("ana")).toMatchObject({ bio: null })
  other.run("ROLLBACK")
  await changed

  expect(await users.byUsername("ana")).toMatchObject({ bio: "new" })
})

test("closing waits for pending writes", async () => {
  await using folder = await testFolder()
  const connection = await connect(folder.file("rewards.db"), waiting)
  using other = plainly(folder.file("rewards.db"))
  other.run("BEGIN IMMEDIATE")

  const written = change(connection, "UPDATE ledger_state SET last_date = 7")
  const closed = connection.close()
  await Bun.sleep(1)
  other.run("ROLLBACK")
  await Promise.all([written, closed])

  expect(other.query("SELECT last_date FROM ledger_state").get()).toEqual({ last_date: 7 })
})

test("a statement that gets no answer fails its transaction", async () => {
  const writer: Pick<Runs, "run"> = { run: async (requests) => requests.map(() => ({ results: [] })) }
  const { write } = createWrites({
    writer: writer as unknown as Runs,
    log: silent,
    lockTimeoutMs: 0,
    throwIfFailed: async () => {},
    fail: async () => {},
    lost: () => null,
  })

  const refusal = await refusalOf(
    write((transaction) => transaction.run({ number: 0, text: "SELECT 1", parameters: [] })),
  )
  expect(refusal).toMatchObject({ message: "a statement was not answered" })
})
