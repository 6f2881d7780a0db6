import { expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { commitmentTo, firstHash, hashOf, type Link } from "../../../../src/storage/ledger/chain.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { plainly, silent, testFolder } from "../../files.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const transfer = { id: 7, kind: "transfer", senderId: 2, receiverId: 3, value: 50, date: 1_763_740_000_000 } as const
const nothing = { reverses: null, group: null, addsTo: null, commitment: null }
const salt = new Uint8Array(16).fill(0xab)

test("the hash of a transaction is the hash of a line that anybody can compute", () => {
  // printf '0000…0000 7 transfer 2 3 50 1763740000000' | sha256sum
  expect(hashOf(firstHash, { ...transfer, ...nothing }).toHex()).toBe(
    sha256(`${"0".repeat(64)} 7 transfer 2 3 50 1763740000000`),
  )
})

test("each transaction continues the chain, across batches, restarts and refusals", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  for (const date of [10, 20]) {
    const store = await openStore({ path, log: silent })
    const { ana, bruno } = date === 10 ? await threePeople(store) : { ana: { id: 1 }, bruno: { id: 2 } }
    const refuse = () => {
      throw new Error("refused")
    }
    const post = (value: number, check: () => void) =>
      store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date }, check)
    await Promise.allSettled([post(1, allow), post(2, refuse), post(3, allow)])
    await post(4, allow)
    await store.close()
  }

  using client = plainly(path, { readonly: true })
  const rows = client
    .query<Link & { hash: Uint8Array }, []>(
      `SELECT id, kind, from_id AS senderId, user_id AS receiverId, value, date, reverses, group_id AS "group",
         adds_to AS addsTo, commitment, hash
       FROM transactions ORDER BY id`,
    )
    .all()
  let before = firstHash
  for (const { hash, ...link } of rows) {
    expect(hash).toEqual(hashOf(before, link))
    before = hash
  }
  expect(rows.map(({ value }) => value)).toEqual([1, 3, 4, 1, 3, 4])
  expect(client.query("SELECT last_hash FROM ledger_state").get()).toEqual({ last_hash: before })
})

test("the hash covers what a reversal reverses and the commitment to a note, as docs/chain.md says", () => {
  const line = `${"0".repeat(64)} 7 reversal 2 3 50 1763740000000 5`
  const note = { reason: "Thank you,\nAna! 🎉", tags: "help café", isPrivate: 1 }
  const commitment = commitmentTo(note, salt)
  const reversal = { ...transfer, ...nothing, kind: "reversal", reverses: 5 } as const

  expect(commitment.toHex()).toBe(sha256(`${"ab".repeat(16)}\n1\nhelp café\nThank you,\nAna! 🎉`))
  expect(hashOf(firstHash, reversal).toHex()).toBe(sha256(line))
  expect(hashOf(firstHash, { ...reversal, commitment }).toHex()).toBe(sha256(`${line} ${commitment.toHex()}`))
  expect(hashOf(firstHash, { ...transfer, ...nothing, commitment }).toHex()).toBe(
    sha256(`${"0".repeat(64)} 7 transfer 2 3 50 1763740000000 ${commitment.toHex()}`),
  )
})

test("the hash covers the group of a transfer", () => {
  expect(hashOf(firstHash, { ...transfer, ...nothing, group: 6 }).toHex()).toBe(
    sha256(`${"0".repeat(64)} 7 transfer 2 3 50 1763740000000 6`),
  )
})

test("the hash covers the entry to which points are added, and tells it from a group", () => {
  expect(hashOf(firstHash, { ...transfer, ...nothing, addsTo: 6 }).toHex()).toBe(
    sha256(`${"0".repeat(64)} 7 transfer 2 3 50 1763740000000 +6`),
  )
})

test("different notes have different commitments, and so does one note with different salts", () => {
  const thanks = { reason: "help", tags: "", isPrivate: 0 }
  const commitments = [
    thanks,
    { reason: "", tags: "help", isPrivate: 0 },
    { reason: "help", tags: "", isPrivate: 1 },
    { reason: "help\nhelp", tags: "", isPrivate: 0 },
    { reason: "help", tags: "help", isPrivate: 0 },
    { reason: "\nhelp", tags: "", isPrivate: 0 },
    { reason: "", tags: "help help", isPrivate: 0 },
  ].map((note) => commitmentTo(note, salt).toHex())
  commitments.push(commitmentTo(thanks, new Uint8Array(16)).toHex())

  expect(new Set(commitments).size).toBe(commitments.length)
})

test("two equal notes are stored with different salts", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const { ana, bruno } = await threePeople(store)
  const note = { reason: "Thanks", tags: [], isPrivate: false }
  for (const date of [1, 2])
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date, note }, allow)
  await store.close()

  using client = plainly(path, { readonly: true })
  expect(client.query("SELECT DISTINCT salt FROM notes").all()).toHaveLength(2)
  expect(client.query("SELECT DISTINCT commitment FROM transactions").all()).toHaveLength(2)
})
