import { expect, test } from "bun:test"
import type { Database } from "../../src/storage/database.ts"
import { createLedgerStore, type LedgerOptions } from "../../src/storage/ledger/ledger.ts"
import { allow, refusalOf } from "./contract/people.ts"

const entry = { kind: "transfer" as const, senderId: 1, receiverId: 2, value: 5, date: 1 }
const posted = { transactions: [{ ...entry, id: 1 }], balance: 0, replayed: false }
const bug = new Error("a bug")

/** A ledger whose commits do only what `write` does. */
const ledgerOn = (write: () => Promise<unknown>, options: LedgerOptions = {}) =>
  createLedgerStore({ write } as unknown as Database, options)

const throwBug = () => {
  throw bug
}

test("a posting of which nothing was appended is refused", async () => {
  const { post, drained } = ledgerOn(async () => [{ posted: { ...posted, transactions: [] } }])

  expect(await refusalOf(post(entry, allow))).toMatchObject({ message: "nothing was appended" })
  await drained()
})

test("a posting that was not decided is refused, and the others get their answers", async () => {
  const { post, drained } = ledgerOn(async () => [{ posted }])

  const [first, second] = await Promise.all([post(entry, allow), refusalOf(post(entry, allow))])
  expect(first).toMatchObject({ id: 1, replayed: false })
  expect(second).toMatchObject({ message: "a posting was not decided" })
  await drained()
})

test("every posting of a batch whose commit throws is refused, at once or later", async () => {
  for (const write of [throwBug, () => Promise.reject(bug)]) {
    const { post, postAll, drained } = ledgerOn(write)

    expect(await Promise.all([refusalOf(post(entry, allow)), refusalOf(postAll([entry], allow))])).toEqual([bug, bug])
    await drained()
  }
})

test("a posting that waits while an observer throws is settled by the next commit", async () => {
  const failures = [bug]
  const { post, postAll, drained } = ledgerOn(async () => [{ posted }], {
    onCommit() {
      for (const failure of failures.splice(0)) throw failure
    },
  })
  const first = post(entry, allow)
  const more = postAll(new Array(600).fill(entry), allow)

  expect(await refusalOf(drained())).toBe(bug)
  expect(await Promise.all([first, more])).toMatchObject([{ id: 1 }, posted])
  await drained()
})
