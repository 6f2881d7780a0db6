import fc from "fast-check"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import type { Added, Recognition } from "../../../src/domain/recognition/model.ts"

type Dateless = Omit<NewTransaction, "date">

/** A transaction to post. A reversal selects the earlier transaction by a number of any size. */
export type Planned = Dateless | { readonly reversalOf: number; readonly part: number }

/** Transfers, budgets and reversals among people with these ids. */
export function plannedAmong(ids: fc.Arbitrary<number>): fc.Arbitrary<Planned> {
  const value = fc.integer({ min: 1, max: 99 })
  const people = { senderId: ids, receiverId: ids, value }
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("transfer" as const), ...people }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("grant" as const, "allowance" as const), ...people }) },
    { weight: 3, arbitrary: fc.record({ reversalOf: fc.nat(), part: value }) },
  )
}

/** The planned transaction, given the posted ones in the order of their ids; null when nothing is left to reverse. */
export function planned(one: Planned, posted: readonly NewTransaction[]): Dateless | null {
  if (!("reversalOf" in one)) return one
  const id = 1 + (one.reversalOf % Math.max(1, posted.length))
  const original = posted[id - 1]
  if (!original || original.kind === "reversal") return null
  const value = Math.min(one.part, original.value - reversedOf(id, posted))
  const { senderId, receiverId } = original
  return value === 0 ? null : { kind: "reversal", reverses: id, senderId: receiverId, receiverId: senderId, value }
}

/** What is left of each recognition, as the simplest way to compute totals. `posted` is in the order of the ids. */
export const leftOf = <T extends NewTransaction>(posted: readonly T[]): T[] =>
  posted
    .map((one, index) => ({ ...one, value: one.value - reversedOf(index + 1, posted) }))
    .filter(({ kind, senderId, receiverId, value }) => kind === "transfer" && senderId !== receiverId && value > 0)

/**
 * The simplest list of the transactions, newest first, with the names of both people. Ids of transactions and of people
 * count from 1.
 */
export function listed(posted: readonly NewTransaction[], names: readonly string[]) {
  const party = (id: number) => {
    const name = names[id - 1] ?? ""
    return { name, username: name.toLowerCase(), avatar: null }
  }
  return posted
    .map(({ place, ...one }, index) => ({
      ...one,
      id: index + 1,
      group: place === undefined ? null : index + 1 - place,
      reverses: one.reverses ?? null,
      addsTo: one.addsTo ?? null,
      reversed: reversedOf(index + 1, posted),
      sender: party(one.senderId),
      receiver: party(one.receiverId),
    }))
    .reverse()
}

/**
 * The entries of the feed among these transactions: a group is one entry, points that were added belong to theirs, and
 * transactions of other kinds are none.
 */
export function entriesOf(transactions: ReturnType<typeof listed>): Recognition[] {
  const recognitions = transactions.filter(
    ({ kind, senderId, receiverId, addsTo }) => kind === "transfer" && senderId !== receiverId && addsTo === null,
  )
  return [...Map.groupBy(recognitions, ({ id, group }) => group ?? id).values()].map((newestFirst) => {
    const members = newestFirst.toReversed()
    const [first] = members
    if (!first) throw new Error("a group without members")
    return {
      ...first,
      reversed: members.reduce((sum, { reversed }) => sum + reversed, 0),
      occasion: null,
      receivers: members.map(({ id, receiver, receiverId, reversed }) => ({
        ...receiver,
        userId: receiverId,
        transactionId: id,
        reversed,
      })),
      added: addedTo(first.id, transactions.toReversed()),
    }
  })
}

function addedTo(entryId: number, transactions: ReturnType<typeof listed>): Added {
  const added = transactions
    .filter(({ addsTo }) => addsTo === entryId)
    .map((one) => ({ ...one, left: one.value - one.reversed }))
  const sums = [...Map.groupBy(added, ({ receiverId }) => receiverId).values()].map((some) =>
    some.reduce((sum, { left }) => sum + left, 0),
  )
  const by = new Set(added.filter(({ left }) => left > 0).map(({ senderId }) => senderId))
  return { value: Math.max(0, ...sums), by: [...by] }
}

const reversedOf = (id: number, posted: readonly NewTransaction[]): number =>
  posted.filter(({ reverses }) => reverses === id).reduce((points, { value }) => points + value, 0)
