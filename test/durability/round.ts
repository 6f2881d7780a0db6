import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { executable, folderOnDisk, startServer } from "../support/executable.ts"
import { checkAnswers } from "./check.ts"
import { type Company, settings } from "./company.ts"
import { type Attempt, sendUntilUnanswered } from "./senders.ts"
import { askForMails, commandUntil, lostMails } from "./side-load.ts"

export interface RoundReport {
  readonly acknowledged: number
  readonly refused: number
  /** Sent but not answered. Both outcomes are right, as long as they are complete. */
  readonly unknown: number
  /** How many of those were recorded. */
  readonly unknownRecorded: number
  /** Transactions that the command line reported as recorded. */
  readonly commands: number
  /** Reset mails that the server accepted. */
  readonly mails: number
  /** Time from the restart to the first answer. */
  readonly readyMs: number
  /** What went wrong. */
  readonly faults: readonly string[]
}

/** Mails are delayed a little, so that at the kill some are waiting and some are being sent. */
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
 * senders, commands and mails, restarts it on the same file, and compares the stored data with the answers.
 */
export async function runRound(company: Company, senders: number): Promise<RoundReport> {
  await using folder = await folderOnDisk()
  const database = join(folder.path, "rewards.db")
  await copyFile(company.database, database)

  const { sent, commanded, mails } = await workUntilKilled(folder.path, company, senders)
  if (Math.random() < 0.25) await killWhileStarting(folder.path)

  const startedMs = performance.now()
  await using server = await startServer({ cwd: folder.path })
  await fetch(`${server.url}/user/`)
  const readyMs = Math.round(performance.now() - startedMs)
  const attempts = [...sent, ...commanded]
  const { ledger, faults } = await checkAnswers(database, server.url, company, attempts)
  const lost = await lostMails(folder.path, mails)

  const of = (outcome: Attempt["outcome"]) => attempts.filter((attempt) => attempt.outcome === outcome)
  const recorded = new Set(ledger.transactions.map(({ value }) => value))
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
  const sending = sendUntilUnanswered(server.url, company, senders)
  const commanding = commandUntil(stop.signal, cwd, company)
  const asking = askForMails(server.url, company)
  await fetch(`${server.url}/user/`) // answered after the first of them: they have begun
  await Promise.race([Bun.sleep(5 + Math.random() * killedWithinMs()), sending])
  await server.stop("SIGKILL")
  stop.abort()
  return { sent: await sending, commanded: await commanding, mails: await asking }
}

/** Kills the server at a random moment before its first answer, because opening writes the WAL back. */
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
