import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { executable, startServer, temporaryFolder } from "../support/executable.ts"
import { askForMails, commandUntil, lostMails } from "./beside.ts"
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
  /** How many transactions the command line was told to be recorded. */
  readonly commands: number
  /** How many reset mails were taken. */
  readonly mails: number
  /** From the new start to the first answer. */
  readonly readyMs: number
  /** Everything that is not as it must be. */
  readonly faults: readonly string[]
}

/** Mails wait a little, so that a kill finds some waiting and some on their way. */
const config = `${settings}
[email]
debug_delay_seconds = 0.1

[jobs]
lease_seconds = 5
`

/** Most rounds are short; some last until the WAL is written back under load. */
const killedWithinMs = () => (Math.random() < 0.12 ? 1500 : 250)

/**
 * Serves a fresh copy of the company's database, kills the server at a random moment under `senders` concurrent
 * senders, the command line beside them and mails on their way, starts it again on the same file, and holds what is
 * there against what was answered.
 */
export async function playRound(company: Company, senders: number): Promise<RoundReport> {
  await using folder = await temporaryFolder()
  const database = join(folder.path, "rewards.db")
  await copyFile(company.database, database)

  const { sent, commanded, mails } = await workUntilKilled(folder.path, company, senders)
  if (Math.random() < 0.25) await killWhileStarting(folder.path)

  const startedMs = performance.now()
  await using server = await startServer({ cwd: folder.path })
  await fetch(`${server.url}/user/`)
  const readyMs = Math.round(performance.now() - startedMs)
  const attempts = [...sent, ...commanded]
  const { books, faults } = await reckon(database, server.url, company, attempts)
  const lost = await lostMails(folder.path, mails)

  const of = (outcome: Attempt["outcome"]) => attempts.filter((attempt) => attempt.outcome === outcome)
  const recorded = new Set(books.transactions.map(({ value }) => value))
  return {
    acknowledged: of("acknowledged").length,
    refused: of("refused").length,
    unknown: of("unknown").length,
    unknownRecorded: of("unknown").filter(({ value }) => recorded.has(value)).length,
    commands: commanded.filter(({ outcome }) => outcome === "acknowledged").length,
    mails: mails.length,
    readyMs,
    faults: [...faults, ...lost],
  }
}

async function workUntilKilled(cwd: string, company: Company, senders: number) {
  await using server = await startServer({ cwd, config })
  const stop = new AbortController()
  const sending = sendUntilSilence(server.url, company, senders)
  const commanding = commandUntil(stop.signal, cwd, company)
  const asking = askForMails(server.url, company)
  await fetch(`${server.url}/user/`) // answered behind the first of them: they have begun
  await Promise.race([Bun.sleep(5 + Math.random() * killedWithinMs()), sending])
  await server.stop("SIGKILL")
  stop.abort()
  return { sent: await sending, commanded: await commanding, mails: await asking }
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
