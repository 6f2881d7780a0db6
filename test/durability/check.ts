import { createClient } from "../support/client.ts"
import { bearer, type Company } from "./company.ts"
import { type Ledger, type Row, readLedger, readLedgerThrough } from "./ledger.ts"
import type { Attempt } from "./senders.ts"

export interface CheckReport {
  readonly ledger: Ledger
  /** What went wrong. */
  readonly faults: readonly string[]
}

/** Compares the file, and the answers of a restarted server at `url`, with the answers of the round. */
export async function checkAnswers(
  database: string,
  url: string,
  company: Company,
  attempts: readonly Attempt[],
): Promise<CheckReport> {
  const ledger = readLedger(database)
  const faults = [
    ...ledger.faults,
    ...contradictionsOf(attempts, ledger.transactions.slice(company.transactions)),
    ...(await disagreementsOf(ledger, url, company)),
    ...(await sendOneMore(database, url, company)),
  ]
  return { ledger, faults }
}

/** Compares the answers with the transactions recorded during the round. */
function contradictionsOf(attempts: readonly Attempt[], recorded: readonly Row[]): string[] {
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

/** Compares the file with what the server returns. */
async function disagreementsOf(ledger: Ledger, url: string, company: Company): Promise<string[]> {
  const through = await readLedgerThrough(url, company.admin)
  return [
    ...(Bun.deepEquals(through.balances, ledger.balances) ? [] : ["the server's balances are not the file's"]),
    ...(Bun.deepEquals(through.transactions, ledger.transactions) ? [] : ["the server's history is not the file's"]),
  ]
}

/** The restarted server must accept another transaction. */
async function sendOneMore(database: string, url: string, company: Company): Promise<string[]> {
  const admin = createClient(url, bearer(company.admin))
  const before = readLedger(database).transactions.length
  const { status } = await admin.post("/transaction/member-1/", { value: 1 })
  const { transactions, faults } = readLedger(database)
  const isThere = status === 201 && transactions.length === before + 1 && transactions.at(-1)?.id === before + 1
  return isThere ? [...faults] : [...faults, `after the restart one more transaction was answered ${status}`]
}
