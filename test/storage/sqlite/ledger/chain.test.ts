import { expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { firstHash, hashOf } from "../../../../src/storage/sqlite/ledger/chain.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { plainly, silent, testFolder } from "../../files.ts"

test("the hash of a transaction is that of a line which anybody can write", () => {
  const first = { id: 1, senderId: 2, receiverId: 3, value: 50, date: 1_763_740_000_000 }

  // printf '0000…0000 1 2 3 50 1763740000000' | sha256sum
  expect(hashOf(firstHash, first).toHex()).toBe(
    createHash("sha256")
      .update(`${"0".repeat(64)} 1 2 3 50 1763740000000`)
      .digest("hex"),
  )
})

test("each transaction continues the chain, over batches, restarts and refusals", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  for (const date of [10, 20]) {
    const store = await openStore({ path, log: silent })
    const { ana, bruno } = date === 10 ? await threePeople(store) : { ana: { id: 1 }, bruno: { id: 2 } }
    const refuse = () => {
      throw new Error("refused")
    }
    const post = (value: number, check: () => void) =>
      store.ledger.post({ senderId: ana.id, receiverId: bruno.id, value, date }, check)
    await Promise.allSettled([post(1, allow), post(2, refuse), post(3, allow)])
    await post(4, allow)
    await store.close()
  }

  using client = plainly(path, { readonly: true })
  const rows = client
    .query<{ id: number; from_id: number; user_id: number; value: number; date: number; hash: Uint8Array }, []>(
      "SELECT id, from_id, user_id, value, date, hash FROM transactions ORDER BY id",
    )
    .all()
  let before = firstHash
  for (const { id, from_id, user_id, value, date, hash } of rows) {
    expect(hash).toEqual(hashOf(before, { id, senderId: from_id, receiverId: user_id, value, date }))
    before = hash
  }
  expect(rows.map(({ value }) => value)).toEqual([1, 3, 4, 1, 3, 4])
  expect(client.query("SELECT last_hash FROM ledger_state").get()).toEqual({ last_hash: before })
})

test("a note is under the hash of its transaction, as docs/chain.md tells; without one nothing changed", () => {
  const bare = { id: 7, senderId: 2, receiverId: 3, value: 50, date: 1_763_740_000_000 }
  const thanked = { ...bare, note: { reason: "Thank you,\nAna! 🎉", tags: ["help", "café"], isPrivate: true } }
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
  const line = `${"0".repeat(64)} 7 2 3 50 1763740000000`

  expect(hashOf(firstHash, bare).toHex()).toBe(sha256(line))
  expect(hashOf(firstHash, thanked).toHex()).toBe(sha256(`${line} ${sha256("1\nhelp café\nThank you,\nAna! 🎉")}`))
})

test("no two notes that are stored have the same hash", () => {
  const hashes = [
    { reason: "help", tags: [], isPrivate: false },
    { reason: "", tags: ["help"], isPrivate: false },
    { reason: "help", tags: [], isPrivate: true },
    { reason: "help\nhelp", tags: [], isPrivate: false },
    { reason: "help", tags: ["help"], isPrivate: false },
    { reason: "\nhelp", tags: [], isPrivate: false },
    { reason: "", tags: ["help", "help"], isPrivate: false },
  ].map((note) => hashOf(firstHash, { id: 1, senderId: 1, receiverId: 1, value: 1, date: 1, note }).toHex())

  expect(new Set(hashes).size).toBe(hashes.length)
})
