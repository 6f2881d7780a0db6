import { expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { silent, testFolder } from "../../files.ts"

/** As no other number in the file, in the four bytes that SQLite gives it. */
const value = 0x499602d2

/** Ana sent Bruno so much. */
async function writeDatabase(path: string) {
  const store = await openStore({ path, log: silent })
  const { ana, bruno } = await threePeople(store)
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 1 }, allow)
  await store.close()
}

/** One bit of each place where the file holds these bytes, a new file each time. */
function flipEach(path: string, found: Uint8Array): (() => void)[] {
  const sound = readFileSync(path)
  const places: number[] = []
  for (let at = sound.indexOf(found); at >= 0; at = sound.indexOf(found, at + 1)) places.push(at)
  return places.map((at) => () => {
    const bytes = Buffer.from(sound)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
    writeFileSync(path, bytes)
  })
}

const number = Buffer.alloc(4)
number.writeUInt32BE(value)

for (const [what, found, least] of [
  ["a number of the ledger", number, 2],
  ["a name", Buffer.from("Bruno"), 2],
  ["an e-mail address", Buffer.from("carla@example.com"), 4],
  ["the definition of a table", Buffer.from("a note is never modified"), 1],
  ["the hash of a password", Buffer.from("$2b$10$Ana"), 2],
] as const)
  test(`a database with one flipped bit in ${what} is not opened for serving`, async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await writeDatabase(path)
    const flips = flipEach(path, found)
    expect(flips.length).toBeGreaterThanOrEqual(least)

    for (const flip of flips) {
      flip()
      expect(await refusalOf(openStore({ path, log: silent, verifyMb: 4 }))).toMatchObject({
        name: "DatabaseUnusable",
        message: expect.stringMatching(/^it is damaged \(\w+: [^\n]+\); restore a backup with `rewards restore /),
      })
    }
  })

test("a database larger than verifyMb is opened without the check, and with 0 every database is", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await writeDatabase(path)
  flipEach(path, Buffer.from("Bruno"))[0]?.()

  for (const verifyMb of [0, 0.05, undefined]) await (await openStore({ path, log: silent, verifyMb })).close()
})

test("a database without damage is opened", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await writeDatabase(path)

  const store = await openStore({ path, log: silent, verifyMb: 4 })

  expect(await store.ledger.lastId()).toBe(1)
  await store.close()
})
