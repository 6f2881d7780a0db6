import { isSuperuser } from "../src/domain/auth/roles.ts"
import type { NewUser } from "../src/domain/model.ts"
import type { Account } from "../src/storage/sqlite/ledger/accounts.ts"

/** Points of one transaction. */
const maxValue = 100
const [admin, busyIndex, quietIndex] = [0, 1, 2]
const quietTransactions = 100
const quietPoints = 50
/** The history goes over this time. */
const firstDate = Date.UTC(2023, 0, 2, 8)
const lastDate = Date.UTC(2026, 0, 2, 18)

interface Past {
  readonly rows: number
  /** As they stand after what was given so far: regular users send only what they have. */
  readonly accounts: readonly Account[]
  readonly people: readonly NewUser[]
}

interface Entry {
  readonly sender: Account
  readonly receiver: Account
  readonly value: number
  readonly date: number
}

/**
 * The history of a company, one transaction after the other, by id. `busy` takes part in every third, half sent, half
 * received; `quiet` in exactly 100, evenly spread over any number of rows, 30 of them with `busy`, 15 each way.
 * The others send to each other by chance, and where one has too few points a manager gives instead.
 */
export function createHistory({ rows, accounts, people }: Past): (id: number) => Entry {
  const chance = createChance(rows)
  const ordinary = accounts.slice(quietIndex + 1)
  const managers = accounts.filter((_, index) => index === admin || isManager(index))
  const isManagerAt = accounts.map((_, index) => isManager(index))
  const busy = accountAt(accounts, busyIndex)
  const quiet = accountAt(accounts, quietIndex)
  const rowsPerQuiet = rows / quietTransactions
  const quietTurns = { withBusy: 0, withOthers: 0 }
  let nextQuiet = 0

  return (id) => {
    const date = firstDate + Math.floor((id / rows) * (lastDate - firstDate))
    if (id > (nextQuiet + 0.5) * rowsPerQuiet && nextQuiet < quietTransactions) return { ...ofQuiet(nextQuiet++), date }
    if (id % 3 === 0) return { ...ofBusy(), date }
    return { ...between(any(ordinary), any(ordinary)), date }
  }

  function ofQuiet(turn: number) {
    const withBusy = turn % 10 === 1 || turn % 10 === 4 || turn % 10 === 7
    const other = withBusy ? busy : any(managers)
    const receives = quietTurns[withBusy ? "withBusy" : "withOthers"]++ % 2 === 0
    // What it receives covers what it sends next.
    if (!receives) return { sender: quiet, receiver: other, value: 1 + chance(quietPoints) }
    return { sender: other, receiver: quiet, value: quietPoints + chance(maxValue - quietPoints + 1) }
  }

  function ofBusy() {
    const value = 1 + chance(maxValue)
    // What it keeps is for quiet.
    if (chance(2) === 0 && busy.value >= value + maxValue) return { sender: busy, receiver: any(ordinary), value }
    return between(any(ordinary), busy, value)
  }

  function between(sender: Account, receiver: Account, value = 1 + chance(maxValue)) {
    const covered = sender.value >= value || isManagerAt[sender.userId - 1]
    return { sender: covered ? sender : any(managers), receiver, value }
  }

  function isManager(index: number): boolean {
    const user = people[index]
    return user !== undefined && isSuperuser(user)
  }

  function any(some: readonly Account[]): Account {
    return accountAt(some, chance(some.length))
  }
}

function accountAt(accounts: readonly Account[], index: number): Account {
  const account = accounts[index]
  if (!account) throw new Error(`there is no account ${index}`)
  return account
}

/** Integers from 0 below `limit`, the same in each run for the same seed (mulberry32). */
function createChance(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
