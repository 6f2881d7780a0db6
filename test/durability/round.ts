import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { executable, startServer, temporaryFolder } from "../support/executable.ts"
import { type Company, settings } from "./company.ts"
import { reckon } from "./reckoning.ts"
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
  const { books, faults } = await reckon(database, server.url, company, attempts)
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
