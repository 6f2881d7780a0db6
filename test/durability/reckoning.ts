import { createClient } from "../support/client.ts"
import { type Books, booksOf, booksThrough, type Recorded } from "./books.ts"
import { bearer, type Company } from "./company.ts"
import type { Attempt } from "./senders.ts"

export interface Reckoning {
  readonly books: Books
  /** Everything that is not as it must be. */
  readonly faults: readonly string[]
}

/** Holds what is in the file, and what a server that was started again at `url` says, against what was answered. */
export async function reckon(
  database: string,
  url: string,
  company: Company,
  attempts: readonly Attempt[],
): Promise<Reckoning> {
  const books = booksOf(database)
  const faults = [
    ...books.faults,
    ...contradictionsOf(attempts, books.transactions.slice(company.transactions)),
    ...(await disagreementsOf(books, url, company)),
    ...(await sendOneMore(database, url, company)),
  ]
  return { books, faults }
}

/** What was answered against what is there. `recorded` is what came after the start of the round. */
function contradictionsOf(attempts: readonly Attempt[], recorded: readonly Recorded[]): string[] {
  const byValue = Map.groupBy(recorded, ({ value }) => value)
  const faults = attempts.flatMap((attempt) => {
    const found = byValue.get(attempt.value) ?? []
    byValue.delete(attempt.value)
    const told = JSON.stringify({ attempt, found })
    if (found.length > 1) return [`recorded twice: ${told}`]
    if (attempt.outcome === "acknowledged" && found.length === 0) return [`acknowledged and lost: ${told}`]
    if (attempt.outcome === "refused" && found.length > 0) return [`refused and recorded: ${told}`]
    const isAsAsked = found.every(({ sender, receiver }) => sender === attempt.sender && receiver === attempt.receiver)
    return isAsAsked ? [] : [`recorded for others: ${told}`]
  })
  return [...faults, ...[...byValue.values()].map((unasked) => `never asked for: ${JSON.stringify(unasked)}`)]
}

/** The file against what the server says. */
async function disagreementsOf(books: Books, url: string, company: Company): Promise<string[]> {
  const through = await booksThrough(url, company.admin)
  return [
    ...(Bun.deepEquals(through.balances, books.balances) ? [] : ["the server's balances are not the file's"]),
    ...(Bun.deepEquals(through.transactions, books.transactions) ? [] : ["the server's history is not the file's"]),
  ]
}

/** A server that has lost nothing goes on, too. */
async function sendOneMore(database: string, url: string, company: Company): Promise<string[]> {
  const admin = createClient(url, bearer(company.admin))
  const before = booksOf(database).transactions.length
  const { status } = await admin.post("/transaction/member-1/", { value: 1 })
  const { transactions, faults } = booksOf(database)
  const isThere = status === 201 && transactions.length === before + 1 && transactions.at(-1)?.id === before + 1
  return isThere ? [...faults] : [...faults, `after the restart one more transaction was answered ${status}`]
}
