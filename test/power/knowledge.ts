import type { Row } from "../durability/ledger.ts"
import type { Fact, KnownTransaction } from "./facts.ts"

/** What is in a database. */
export interface Stored {
  readonly transactions: readonly Row[]
  /** Numbers in the bios, by username. */
  readonly counters: Readonly<Record<string, number>>
}

export type Knowledge = ReturnType<typeof createKnowledge>

/** What clients know until a moment. `all` are all transactions, whose ids begin with 1 and have no gaps. */
export function createKnowledge(all: readonly Row[]) {
  const lastIdBySums = idsBySums(all)
  const known = { acknowledged: new Map<string, KnownTransaction>(), shown: new Map<string, KnownTransaction>() }
  const counters: Record<"acknowledged" | "shown", Record<string, number>> = { acknowledged: {}, shown: {} }
  const impossible: string[] = []

  return {
    add(fact: Fact) {
      if (fact.kind === "acknowledged" || fact.kind === "shown")
        for (const transaction of fact.transactions) know(fact.kind, transaction)
      else if (fact.kind === "counters") count(fact.isShown ? "shown" : "acknowledged", fact.counters)
      else if (fact.kind === "balances") knowBalances(fact.balances)
    },
    /** How many transactions were acknowledged, and how many shown. */
    size: () => ({ acknowledged: known.acknowledged.size, shown: known.shown.size }),
    /** Answers that were never right. */
    impossible: (): readonly string[] => impossible,
    /** What clients know and this database does not. */
    missingFrom(stored: Stored): string[] {
      const values = new Set(stored.transactions.map(({ value }) => value))
      return (["acknowledged", "shown"] as const).flatMap((how) => [
        ...[...known[how].values()]
          .filter(({ id, value }) =>
            id === undefined
              ? value !== undefined && !values.has(value)
              : !isThere(stored.transactions[id - 1], { id, value }),
          )
          .map((transaction) => `${how} and lost: transaction ${JSON.stringify(transaction)}`),
        ...Object.entries(counters[how])
          .filter(([username, counter]) => (stored.counters[username] ?? 0) < counter)
          .map(
            ([username, counter]) =>
              `${how} and lost: ${counter} of ${username}, ${stored.counters[username]} is there`,
          ),
      ])
    },
  }

  function know(how: "acknowledged" | "shown", { id, value }: KnownTransaction) {
    known[how].set(`${id} ${value}`, { ...(id !== undefined && { id }), ...(value !== undefined && { value }) })
  }

  function count(how: "acknowledged" | "shown", found: Readonly<Record<string, number>>) {
    for (const [username, counter] of Object.entries(found))
      counters[how][username] = Math.max(counters[how][username] ?? 0, counter)
  }

  /** Balances are those after one of the transactions. */
  function knowBalances(balances: Readonly<Record<string, number>>) {
    const sum = Object.values(balances).reduce((total, balance) => total + balance, 0)
    const id = lastIdBySums.get(sumsOf(balances))
    if (sum !== 0) impossible.push(`balances add up to ${sum}: ${JSON.stringify(balances)}`)
    else if (id === undefined) impossible.push(`balances that never were: ${JSON.stringify(balances)}`)
    else know("shown", { id })
  }
}

function isThere(row: Row | undefined, { id, value }: { id: number; value: number | undefined }): boolean {
  return row?.id === id && (value === undefined || row.value === value)
}

/** The first id after which the balances are these. */
function idsBySums(transactions: readonly Row[]): ReadonlyMap<string, number> {
  const balances: Record<string, number> = {}
  const ids = new Map<string, number>()
  for (const { id, sender, receiver, value } of transactions) {
    balances[sender] = (balances[sender] ?? 0) - value
    balances[receiver] = (balances[receiver] ?? 0) + value
    const sums = sumsOf(balances)
    if (!ids.has(sums)) ids.set(sums, id)
  }
  return ids
}

const sumsOf = (balances: Readonly<Record<string, number>>): string =>
  Object.entries(balances)
    .filter(([, balance]) => balance !== 0)
    .map(([username, balance]) => `${username} ${balance}`)
    .sort()
    .join()
