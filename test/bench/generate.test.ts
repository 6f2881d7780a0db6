import { expect, test } from "bun:test"
import { generate, password } from "../../bench/generate.ts"
import { firstHash, hashOf, type Link } from "../../src/storage/ledger/chain.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { readLedger } from "../durability/ledger.ts"
import { plainly, silent, testFolder } from "../storage/files.ts"

const [rows, people] = [3000, 300]

async function generated(path: string) {
  await generate({ path, rows, people })
  return plainly(path)
}

test("a generated database is consistent and has the requested transactions and people", async () => {
  await using folder = await testFolder()
  using client = await generated(folder.file("rewards.db"))
  const row = (sql: string) => client.query(sql).values()[0]

  expect(readLedger(folder.file("rewards.db")).faults).toEqual([])
  expect(row("SELECT count(*), min(value), max(value) FROM transactions")).toEqual([rows, 1, 100])
  expect(row("SELECT count(DISTINCT name), count(DISTINCT username) FROM users")).toEqual([people, people])
})

test("busy is in a third of all transactions, quiet in 100 from first to last: half received, half sent, 30 with busy", async () => {
  await using folder = await testFolder()
  using client = await generated(folder.file("rewards.db"))
  client.run(`CREATE TEMP VIEW named AS SELECT t.id, r.username AS receiver, s.username AS sender
    FROM transactions t JOIN users r ON r.id = t.user_id JOIN users s ON s.id = t.from_id`)
  const counted = (condition: string) =>
    Number(client.query(`SELECT count(*) FROM named WHERE ${condition}`).values()[0])

  // The 100 of quiet come in between.
  expect(Math.abs(counted("'busy' IN (receiver, sender)") - rows / 3)).toBeLessThan(100)
  expect([counted("receiver = 'quiet'"), counted("sender = 'quiet'")]).toEqual([50, 50])
  expect(counted("receiver = 'quiet' AND sender = 'busy'")).toBe(15)
  expect(counted("receiver = 'busy' AND sender = 'quiet'")).toBe(15)
  for (let tenth = 0; tenth < 10; tenth += 1)
    expect(counted(`'quiet' IN (receiver, sender) AND (id - 1) / ${rows / 10} = ${tenth}`)).toBe(10)
})

test("the hash chain is correct from the first transaction to the last", async () => {
  await using folder = await testFolder()
  using client = await generated(folder.file("rewards.db"))
  const columns = `id, from_id AS senderId, user_id AS receiverId, value, date, kind, reverses, group_id AS "group",
    adds_to AS addsTo, commitment, hash`
  let before = firstHash
  for (const row of client.query<Row, []>(`SELECT ${columns} FROM transactions ORDER BY id`).all()) {
    before = hashOf(before, row)
    expect(row.hash.toHex()).toBe(before.toHex())
  }
  expect(client.query<{ last: Uint8Array }, []>("SELECT last_hash AS last FROM ledger_state").get()?.last.toHex()).toBe(
    before.toHex(),
  )
})

interface Row extends Link {
  readonly hash: Uint8Array
}

test("a server can use the generated database, and everybody has the known password", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await generate({ path, rows, people })
  const store = await openStore({ path, log: silent })
  const quiet = await store.users.byUsername("quiet")

  expect(await Bun.password.verify(password, quiet?.password ?? "")).toBe(true)
  expect(await store.ledger.page({ participantId: quiet?.id ?? 0, page: 2, size: 50 })).toMatchObject({ total: 100 })
  expect(
    await store.ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value: 1, date: 1 }, () => {}),
  ).toMatchObject({
    id: rows + 1,
  })
  await store.close()
})

test("an existing file is not overwritten", async () => {
  await using folder = await testFolder()
  await Bun.write(folder.file("letter.txt"), "Dear Ana")

  await expect(generate({ path: folder.file("letter.txt"), rows, people })).rejects.toThrow("letter.txt exists")
  expect(await Bun.file(folder.file("letter.txt")).text()).toBe("Dear Ana")
})
