import { existsSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { checkAnswers } from "../durability/check.ts"
import { bearer, type Company, settings } from "../durability/company.ts"
import { type Attempt, sendUntilUnanswered } from "../durability/senders.ts"
import { createClient } from "../support/client.ts"
import { folderOnDisk, runCommand, type StartedServer, startServer } from "../support/executable.ts"
import type { Disk, Fault, Shim } from "./shim.ts"

export interface FaultReport {
  /** Whether the server exited. */
  readonly ended: boolean
  readonly acknowledged: number
  readonly refused: number
  /** What went wrong. */
  readonly wrong: readonly string[]
}

const senders = 8
/** Reached only when the server neither exits nor logs the fault. */
const endsWithinMs = 20_000
const recoversWithinMs = 60_000
const unwrittenWatermark = "the watermark file of the database cannot be written; it is tried again"
const unwrittenDatabase = "the database cannot be written for now"
/** Log messages of faults that do not end the server. */
const survivals = [unwrittenDatabase, "a checkpoint of the database failed; it is tried again", unwrittenWatermark]
/** How long a full disk is watched. */
const watchedMs = 300

/**
 * Makes the disk of a server under load fail: after a failed sync the server must exit, on a full disk it must keep serving
 * and write again by itself. Then restarts it on a working disk and compares what is there with what was answered.
 */
export async function runFault(company: Company, shim: Shim, fault: Fault): Promise<FaultReport> {
  await using folder = await folderOnDisk()
  const database = join(folder.path, "rewards.db")
  await copyFile(company.database, database)
  using disk = shim.disk(database, join(folder.path, "control"))
  await using server = await startServer({ cwd: folder.path, config: settings, env: disk.env })
  const stop = new AbortController()
  const sending = sendUntilUnanswered(server.url, company, senders, stop.signal)

  disk.fail(fault)
  await fires(disk, server)
  const ended = await endsInTime(server, fault)
  const wrong: string[] = []
  if (ended) wrong.push(...(await wrongEnd(server, folder.path, disk)))
  else if (fault.kind === "sync" && !wasOfMark(server))
    wrong.push(`a failed sync, and ${endsWithinMs} ms later it serves on`)
  else wrong.push(...(await wrongService(server, company, disk, fault)))
  stop.abort()
  const attempts = await sending
  await server.stop("SIGKILL")
  if (ended) wrong.push(...acknowledgedAfter(disk.failures().sinceMs, attempts))
  else if (fault.error === "ENOSPC") wrong.push(...(await wrongLog(server)))

  disk.mend()
  await using again = await startServer({ cwd: folder.path })
  const { faults } = await checkAnswers(database, again.url, company, attempts)
  const count = (outcome: Attempt["outcome"]) => attempts.filter((attempt) => attempt.outcome === outcome).length
  return { ended, acknowledged: count("acknowledged"), refused: count("refused"), wrong: [...wrong, ...faults] }
}

async function fires(disk: Disk, { process }: StartedServer) {
  const late = Date.now() + 60_000
  while (disk.failures().count === 0) {
    if (Date.now() > late || process.exitCode !== null) throw new Error("the fault was never met")
    await Bun.sleep(1)
  }
}

/**
 * Whether the server exits. On a full disk it must not, so it is only watched for a moment. The server has survived a
 * single fault once it has logged it, and a lasting one once it has logged a failed commit.
 */
async function endsInTime(server: StartedServer, { kind, error, lasting }: Fault): Promise<boolean> {
  const isFull = kind === "write" && error === "ENOSPC"
  const late = Date.now() + (isFull ? watchedMs : endsWithinMs)
  while (server.process.exitCode === null && Date.now() < late) {
    if (hasLogged(server, lasting ? [unwrittenDatabase] : survivals)) break
    await Bun.sleep(10)
  }
  return server.process.exitCode !== null
}

const hasLogged = ({ stderr }: StartedServer, messages: readonly string[]): boolean =>
  messages.some((message) => stderr.some((line) => line.includes(message)))

/**
 * Whether the failed sync was that of the watermark. It is no reason to exit, because acknowledgements do not depend on
 * it.
 */
const wasOfMark = (server: StartedServer): boolean => hasLogged(server, [unwrittenWatermark])

/**
 * What is wrong with the end of the server: it must exit with status 1 and say why in one line. The same applies to a
 * command that has to write to the failing disk.
 */
async function wrongEnd(server: StartedServer, cwd: string, disk: Disk): Promise<string[]> {
  const status = await server.stop()
  // Requests that write nothing may be answered until the line is written.
  const told = server.stderr.filter((line) => !line.includes('"message":"request"'))
  const { time: _, error, ...last } = JSON.parse(told.at(-1) ?? "{}")
  const exiting = { level: "error", message: "exiting: the database failed, and its state on disk is unknown" }
  const isPlain = Bun.deepEquals(last, exiting) && typeof error === "string" && !error.includes("\n")
  const wrong = status === 1 && isPlain ? [] : [`it ended with status ${status} and ${server.stderr.slice(-2).join()}`]
  const { writtenBack } = disk.failures()
  if (writtenBack > 0) wrong.push(`${writtenBack} pages were written back after a failed sync`)
  for (const suffix of ["-wal", "-shm"])
    if (!existsSync(join(cwd, `rewards.db${suffix}`))) wrong.push(`rewards.db${suffix} is gone`)

  const opening = await runCommand(["migrate"], { cwd, env: disk.env })
  const refusal = /^cannot use the database rewards\.db: the disk (is full|cannot be read or written); .+\n$/
  if (opening.status !== 0 && !refusal.test(opening.stderr)) wrong.push(`opening it told ${JSON.stringify(opening)}`)
  return wrong
}

/**
 * What is wrong with the service: reads must continue. On a full disk, writes must get a 503 with Retry-After, and
 * succeed again once there is space.
 */
async function wrongService({ url }: StartedServer, { admin }: Company, disk: Disk, fault: Fault): Promise<string[]> {
  const { get, post } = createClient(url, bearer(admin))
  const wrong: string[] = []
  const read = await get("/transaction/?size=1")
  if (read.status !== 200) wrong.push(`a read was answered ${JSON.stringify(read)}`)
  if (fault.lasting && fault.error === "ENOSPC") {
    const write = await post("/user/pwd_reset_token/", { email: "nobody@example.com" })
    const isTold = write.status === 503 && Number(write.headers?.["retry-after"]) > 0
    if (!isTold) wrong.push(`a write on a full disk was answered ${JSON.stringify(write)}`)
  }
  disk.mend()
  const late = Date.now() + recoversWithinMs
  for (let status = 0; status !== 200; await Bun.sleep(10)) {
    ;({ status } = await post("/user/pwd_reset_token/", { email: "nobody@example.com" }))
    if (Date.now() > late) return [...wrong, `${recoversWithinMs} ms later a write is answered ${status}`]
  }
  return wrong
}

/** What is wrong with the log: it must name the full disk, without a stack. */
async function wrongLog({ stderr }: StartedServer): Promise<string[]> {
  const messages = stderr.map((line): string => JSON.parse(line).message)
  const wrong = messages.includes("unexpected failure") ? ["a full disk was told as an unexpected failure"] : []
  return messages.some((message) => survivals.includes(message))
    ? wrong
    : [...wrong, "the log says nothing of the full disk"]
}

const acknowledgedAfter = (failedMs: number, attempts: readonly Attempt[]): string[] =>
  attempts
    .filter(({ outcome, sentMs }) => outcome === "acknowledged" && sentMs > failedMs)
    .map((attempt) => `acknowledged after the failure: ${JSON.stringify(attempt)}`)
