import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { verifyFile } from "../../src/storage/sqlite/maintenance/verify.ts"
import { executable, folderOnDisk, runCommand, startServer } from "../support/executable.ts"
import { type Company, settings } from "./company.ts"
import { readLedger } from "./ledger.ts"
import { type Attempt, sendUntilUnanswered } from "./senders.ts"

export interface LoadReport {
  readonly backups: number
  readonly acknowledged: number
  readonly faults: readonly string[]
}

interface Taken {
  readonly file: string
  readonly beganMs: number
}

/**
 * Takes `count` backups, one after another, of a server under `senders` concurrent senders, then restores each of them
 * and checks that it holds everything that was acknowledged before it began.
 */
export async function backUpUnderLoad(company: Company, senders: number, count: number): Promise<LoadReport> {
  await using folder = await folderOnDisk()
  const database = join(folder.path, "rewards.db")
  await copyFile(company.database, database)
  await using server = await startServer({ cwd: folder.path, config: settings })
  const stop = new AbortController()
  const sending = sendUntilUnanswered(server.url, company, senders, stop.signal)
  const taken: Taken[] = []
  for (let number = 1; number <= count; number += 1) {
    await Bun.sleep(Math.random() * 200)
    taken.push(await backUp(folder.path, `${number}.db`))
  }
  stop.abort()
  const attempts = await sending
  await server.stop()

  const faults: string[] = []
  for (const backup of taken) faults.push(...(await lostIn(backup, company, attempts)))
  const acknowledged = attempts.filter(({ outcome }) => outcome === "acknowledged").length
  return { backups: taken.length, acknowledged, faults }
}

async function backUp(cwd: string, name: string): Promise<Taken> {
  const beganMs = Date.now()
  const { status, stderr } = await runCommand(["backup", name], { cwd })
  if (status !== 0) throw new Error(`backup ${name} failed: ${stderr}`)
  return { file: join(cwd, name), beganMs }
}

/** Restores the backup into a new folder. Returns what is wrong there. */
async function lostIn({ file, beganMs }: Taken, company: Company, attempts: readonly Attempt[]): Promise<string[]> {
  await using folder = await folderOnDisk()
  const { status, stderr } = await runCommand(["restore", file], { cwd: folder.path })
  if (status !== 0) return [`${file} cannot be restored: ${stderr}`]
  const { transactions, faults } = readLedger(join(folder.path, "rewards.db"))
  const recorded = new Map(transactions.slice(company.transactions).map((one) => [one.value, one]))
  const before = attempts.filter(({ outcome, answeredMs }) => outcome === "acknowledged" && answeredMs < beganMs)
  const lost = before.filter(({ value, sender, receiver }) => {
    const found = recorded.get(value)
    return found?.sender !== sender || found.receiver !== receiver
  })
  return [
    ...faults,
    ...lost.map((attempt) => `acknowledged before ${file} began, and lost: ${JSON.stringify(attempt)}`),
  ]
}

/** A time in which most commands end by themselves. */
const killedWithinMs = 200

/** Kills `rewards backup` at a random moment. The earlier or the new backup must be there, intact. */
export async function killBackup(company: Company): Promise<string[]> {
  await using folder = await folderOnDisk()
  await copyFile(company.database, join(folder.path, "rewards.db"))
  const file = join(folder.path, "backup.db")
  await copyFile(company.database, file)

  await kill(folder.path, ["backup", "backup.db"])

  return [
    ...(await faultsIn(file, company.transactions)),
    ...(await faultsIn(join(folder.path, "rewards.db"), company.transactions)),
  ]
}

/** Kills `rewards restore` at a random moment. The old or the restored database must be there, intact. */
export async function killRestore(company: Company): Promise<string[]> {
  await using folder = await folderOnDisk()
  const database = join(folder.path, "rewards.db")
  await copyFile(company.database, database)
  await runCommand(["backup", "backup.db"], { cwd: folder.path })
  await runCommand(["transaction", "member-1", "1"], { cwd: folder.path })

  await kill(folder.path, ["restore", "backup.db"])

  const opened = await runCommand(["user-list"], { cwd: folder.path })
  const faults = opened.status === 0 ? [] : [`it does not open any more: ${opened.stderr}`]
  return [...faults, ...(await faultsIn(database, company.transactions, company.transactions + 1))]
}

async function kill(cwd: string, args: readonly string[]) {
  const child = Bun.spawn([executable, ...args], { cwd, stdio: ["ignore", "ignore", "ignore"] })
  await Promise.race([child.exited, Bun.sleep(Math.random() * killedWithinMs)])
  child.kill("SIGKILL")
  await child.exited
}

async function faultsIn(path: string, ...counts: readonly number[]): Promise<string[]> {
  if (!existsSync(path)) return [`${path} is gone`]
  const { findings } = await verifyFile({ path, accepts: false })
  using client = new Database(path)
  const { count = 0 } = client.query<{ count: number }, []>("SELECT count(*) AS count FROM transactions").get() ?? {}
  return [
    ...findings.map(({ fault }) => `${path}: ${fault}`),
    ...(counts.includes(count) ? [] : [`${path} holds ${count} transactions instead of ${counts.join(" or ")}`]),
  ]
}
