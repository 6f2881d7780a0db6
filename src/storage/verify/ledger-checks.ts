import { movePoints, type StoredPockets } from "../../domain/ledger/pockets.ts"
import { isOccasionId } from "../../domain/recognition/positions.ts"
import { commitmentTo, firstHash, hashOf } from "../ledger/chain.ts"

import type { AddedToBy, LedgerCheck, LedgerRow, ReversedBy } from "./ledger-rows.ts"

/** Ids ascend from 1 without gaps, and dates never go backwards. */
export function createOrderCheck(): LedgerCheck {
  let last = { id: 0, date: Number.NEGATIVE_INFINITY }

  return {
    name: "order",
    see(row) {
      const before = last
      last = row
      if (row.id > before.id + 1) return missingRange(before.id + 1, row.id - 1)
      return row.date < before.date ? "its date is before the date of the one before it" : null
    },
    end: () => [],
  }
}

const missingRange = (first: number, last: number): string =>
  first === last
    ? `transaction ${first} before it is missing`
    : `transactions ${first} to ${last} before it are missing`

/** Each balance and its pockets are what the transactions of its user leave, and all balances add up to zero. */
export function createBalancesCheck(reversedBy: ReversedBy): LedgerCheck {
  const accounts = new Map<number, StoredPockets>()
  const accountOf = (userId: number): StoredPockets => {
    const account = accounts.get(userId) ?? { balance: 0, earned: 0, earnedGiven: 0 }
    accounts.set(userId, account)
    return account
  }

  return {
    name: "balances",
    see({ id, kind, senderId, receiverId, value, reverses }) {
      if (senderId === receiverId) return null
      const originalKind = reverses === null ? null : (reversedBy(id)?.kind ?? null)
      movePoints({ kind, value, originalKind }, accountOf(senderId), accountOf(receiverId))
      return null
    },
    *end(stored) {
      for (const { userId, username, value, earned, earnedGiven } of stored.balances) {
        const account = accountOf(userId)
        if ((value ?? 0) !== account.balance)
          yield `the balance of ${username} is ${value ?? 0} instead of ${account.balance}`
        else if ((earned ?? 0) !== account.earned)
          yield `of the balance of ${username}, ${earned ?? 0} are stored as earned instead of ${account.earned}`
        else if ((earnedGiven ?? 0) !== account.earnedGiven)
          yield `of what ${username} gave, ${earnedGiven ?? 0} are stored as earned instead of ${account.earnedGiven}`
      }
      const sum = stored.sumOfBalances
      if (sum && sum !== "0") yield `all balances add up to ${sum} instead of 0`
    },
  }
}

/**
 * Each hash follows from the one before it and the transaction's own fields (../ledger/chain.ts), up to the stored last
 * hash.
 */
export function createChainCheck(): LedgerCheck {
  let last = firstHash

  return {
    name: "chain",
    see(row) {
      const expected = hashOf(last, row)
      last = row.hash
      return isEqual(expected, row.hash) ? null : "its hash does not follow from its fields and the hash before it"
    },
    *end({ state }) {
      if (state && !isEqual(state.lastHash, last))
        yield "the hash of the last transaction is not the one that is stored as last"
    },
  }
}

/** The words of each note are those that its transaction committed to; they are missing only where they were erased. */
export function createNotesCheck(): LedgerCheck {
  return {
    name: "notes",
    see({ commitment, erasedAt, salt, reason, tags, isPrivate }) {
      if (salt === null || reason === null || tags === null || isPrivate === null) {
        if (commitment === null) return erasedAt === null ? null : "a note is said to be erased that never was"
        return erasedAt === null ? "its note is missing" : null
      }
      if (erasedAt !== null) return "its note was erased, but is there"
      const expected = commitmentTo({ reason, tags, isPrivate }, salt)
      return commitment && isEqual(commitment, expected) ? null : "its note is not the one that it was sent with"
    },
    end: () => [],
  }
}

/**
 * A reversal moves points back between the same two people. All reversals of a transaction together move back at most
 * its value.
 */
export function createReversalsCheck(reversedBy: ReversedBy): LedgerCheck {
  return {
    name: "reversals",
    see({ id, reverses, senderId, receiverId }) {
      if (reverses === null) return null
      const original = reversedBy(id)
      if (!original) return `it reverses transaction ${reverses}, which is missing`
      if (original.kind === "reversal") return `it reverses transaction ${reverses}, a reversal itself`
      if (original.senderId !== receiverId || original.receiverId !== senderId)
        return `it reverses transaction ${reverses}, which is between other people`
      return original.reversed > original.value ? `more than transaction ${reverses} moved was reversed` : null
    },
    end: () => [],
  }
}

/** The transfers of a group are adjacent, begin with the one that names it, and thank different people in the same way. */
export function createGroupsCheck(): LedgerCheck {
  let last: LedgerRow | null = null
  const thanked = new Set<number>()

  return {
    name: "groups",
    see(row) {
      const before = last
      last = row
      const { id, group, kind, senderId, receiverId, value, date } = row
      if (group === null) return null
      if (group === id) thanked.clear()
      const isRepeated = thanked.has(receiverId)
      thanked.add(receiverId)
      if (kind !== "transfer" || senderId === receiverId) return `it is in group ${group}, but is no recognition`
      if (isRepeated) return `group ${group} thanks user ${receiverId} twice`
      if (group === id) return null
      if (before === null || before.group !== group) return `it is in group ${group}, but not next to its transfers`
      if (before.senderId !== senderId) return `it is in group ${group}, but of another sender`
      return before.value === value && before.date === date ? null : `it is in group ${group}, but not like the others`
    },
    end: () => [],
  }
}

/** Points are added to an entry of the feed, for somebody whom it thanks, by somebody whom it does not thank. */
export function createAdditionsCheck(addedToBy: AddedToBy): LedgerCheck {
  return {
    name: "additions",
    see({ id, addsTo, senderId, receiverId }) {
      if (addsTo === null) return null
      const entry = addedToBy(id)
      const adds = isOccasionId(addsTo) ? `it adds to occasion ${-addsTo}` : `it adds to transaction ${addsTo}`
      if (!entry) return `${adds}, which is missing`
      if (entry.isEntry === 0) return `${adds}, which is no entry of the feed`
      if (entry.thanksReceiver === 0) return `${adds}, which does not thank user ${receiverId}`
      return entry.thanksSender === 0 ? null : `${adds}, which thanks its sender ${senderId}`
    },
    end: () => [],
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

/** The stored state of the ledger is right: the number of transactions, and the last one's id and date. */
export function createCountersCheck(): LedgerCheck {
  let count = 0
  let last = { id: 0, date: 0 }

  return {
    name: "counters",
    see(row) {
      count += 1
      last = row
      return null
    },
    *end({ state }) {
      if (!state) return yield "the state of the ledger is missing"
      if (state.count !== count) yield `the count of transactions is ${state.count} instead of ${count}`
      if (state.lastId !== last.id) yield `the last transaction is stored as ${state.lastId} instead of ${last.id}`
      if (state.lastDate !== last.date) yield `the last date is stored as ${state.lastDate} instead of ${last.date}`
    },
  }
}

interface Counts {
  received: number
  sent: number
  self: number
}

/** The stored number of transactions of each user, which is the total of the user's history. */
export function createCountsCheck(): LedgerCheck {
  const seen = new Map<number, Counts>()
  const of = (userId: number) => {
    const counts = seen.get(userId) ?? { received: 0, sent: 0, self: 0 }
    seen.set(userId, counts)
    return counts
  }

  return {
    name: "counts",
    see({ senderId, receiverId }) {
      if (senderId === receiverId) of(senderId).self += 1
      else {
        of(senderId).sent += 1
        of(receiverId).received += 1
      }
      return null
    },
    *end({ balances }) {
      for (const { userId, username, receivedCount, sentCount, selfCount } of balances) {
        const { received, sent, self } = seen.get(userId) ?? { received: 0, sent: 0, self: 0 }
        for (const [what, stored, count] of [
          ["received", receivedCount, received],
          ["sent", sentCount, sent],
          ["sent to the own account", selfCount, self],
        ] as const)
          if (stored !== count) yield `the count of what ${username} ${what} is ${stored} instead of ${count}`
      }
    },
  }
}
