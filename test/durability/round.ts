import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { createClient } from "../support/client.ts"
import { executable, startServer, temporaryFolder } from "../support/executable.ts"
import { type Books, booksOf, booksThrough, type Recorded } from "./books.ts"
import { bearer, type Company, type Member, settings } from "./company.ts"
import { type Attempt, sendUntilSilence } from "./senders.ts"

export interface RoundReport {
  readonly acknowledged: number
  readonly refused: number
  /** Asked for and not answered; either outcome is right, as long as it is whole. */
  readonly unknown: number
  /** How many of those were recorded. */
  readonly unknownRecorded: number
  /** From the first request to the kill. */
  readonly killedAfterMs: number
  /** Everything that is not as it must be. */
  readonly faults: readonly string[]
}

/** Most rounds are short; some last until the WAL is written back under load. */
const killedWithinMs = () => (Math.random() < 0.12 ? 1500 : 250)

/**
 * Serves a fresh copy of the company's database, kills the server at a random moment under `senders` concurrent
 * senders, starts it again on the same file, and holds what is there against what was answered.
 */
export async function playRound(company: Company, senders: number): Promise<RoundReport> {
  await using folder = await temporaryFolder()
  const database = join(folder.path, "rewards.db")
  await copyFile(company.database, database)

  const killedAfterMs = 5 + Math.random() * killedWithinMs()
  const attempts = await sendUntilKilled(folder.path, company, senders, killedAfterMs)
  if (Math.random() < 0.25) await killWhileStarting(folder.path)

  await using server = await startServer({ cwd: folder.path })
  const books = booksOf(database)
  const faults = [
    ...books.faults,
    ...contradictionsOf(attempts, books.transactions.slice(company.transactions)),
    ...(await disagreementsOf(books, server.url, company)),
    ...(await sendOneMore(database, server.url, company)),
  ]
  const of = (outcome: Attempt["outcome"]) => attempts.filter((attempt) => attempt.outcome === outcome)
  const recorded = new Set(books.transactions.map(({ value }) => value))
  return {
    acknowledged: of("acknowledged").length,
    refused: of("refused").length,
    unknown: of("unknown").length,
    unknownRecorded: of("unknown").filter(({ value }) => recorded.has(value)).length,
    killedAfterMs,
    faults,
  }
}

async function sendUntilKilled(cwd: string, company: Company, senders: number, afterMs: number): Promise<Attempt[]> {
  await using server = await startServer({ cwd, config: settings })
  const sending = sendUntilSilence(server.url, company, senders)
  await Promise.race([Bun.sleep(afterMs), sending])
  await server.stop("SIGKILL")
  return sending
}

/** Somewhere between its first instruction and its first answer: opening writes the WAL back. */
async function killWhileStarting(cwd: string) {
  const child = Bun.spawn([executable, "serve", "--port", "0"], {
    cwd,
    env: { REWARDS_SECURITY__SECRET_KEY: "a secret for a server that answers nobody" },
    stdio: ["ignore", "ignore", "ignore"],
  })
  await Bun.sleep(Math.random() * 50)
  child.kill("SIGKILL")
  await child.exited
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
  const through = await booksThrough(url, adminOf(company))
  return [
    ...(Bun.deepEquals(through.balances, books.balances) ? [] : ["the server's balances are not the file's"]),
    ...(Bun.deepEquals(through.transactions, books.transactions) ? [] : ["the server's history is not the file's"]),
  ]
}

/** A server that has lost nothing goes on, too. */
async function sendOneMore(database: string, url: string, company: Company): Promise<string[]> {
  const admin = createClient(url, bearer(adminOf(company)))
  const before = booksOf(database).transactions.length
  const { status } = await admin.post("/transaction/member-1/", { value: 1 })
  const { transactions, faults } = booksOf(database)
  const isThere = status === 201 && transactions.length === before + 1 && transactions.at(-1)?.id === before + 1
  return isThere ? [...faults] : [...faults, `after the restart one more transaction was answered ${status}`]
}

function adminOf({ members }: Company): Member {
  const admin = members.find(({ isSuperuser }) => isSuperuser)
  if (!admin) throw new Error("the company has no admin")
  return admin
}
