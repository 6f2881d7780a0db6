import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { type Company, settings } from "../durability/company.ts"
import { readLedger } from "../durability/ledger.ts"
import { folderOnDisk, runCommand, startServer } from "../support/executable.ts"
import type { Fault, Shim } from "./shim.ts"

export interface StartReport {
  /** Whether the command was refused. */
  readonly refused: boolean
  readonly wrong: readonly string[]
}

/**
 * Makes the disk fail under a command that opens the database of a killed server, writes one transaction and closes. With
 * status 0 the transaction must be there; any other status comes with the reason in one line. On a working disk the database
 * must then be as before, or have that one transaction.
 */
export async function runStart(company: Company, shim: Shim, fault: Fault): Promise<StartReport> {
  await using folder = await folderOnDisk()
  const cwd = folder.path
  const database = join(cwd, "rewards.db")
  await copyFile(company.database, database)
  await leaveWal(cwd)
  using disk = shim.disk(database, join(cwd, "control"))

  disk.fail(fault)
  const { status, stderr } = await runCommand(["transaction", "member-1", "7"], { cwd, env: disk.env })
  const { writtenBack } = disk.failures()
  disk.mend()

  await using _ = await startServer({ cwd })
  const { transactions, faults } = readLedger(database)
  const added = transactions.slice(company.transactions).map(({ value }) => value)
  const mayBe = status === 0 ? ["7"] : ["", "7"]
  // Log lines may come first, for example about the watermark file.
  const isPlain = status === 0 || /^(\{[^\n]*\n\s*)*[^\n{]+\n$/.test(stderr)
  return {
    refused: status !== 0,
    wrong: [
      ...faults,
      ...(mayBe.includes(added.join()) ? [] : [`status ${status}, and recorded is ${added}`]),
      ...(isPlain ? [] : [`status ${status}, and told was ${stderr}`]),
      ...(status === 0 || writtenBack === 0 ? [] : [`${writtenBack} pages were written back after a failed sync`]),
    ],
  }
}

/** A killed server leaves its last writes in the WAL. */
async function leaveWal(cwd: string) {
  await using server = await startServer({ cwd, config: settings })
  await fetch(`${server.url}/user/pwd_reset_token/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nobody@example.com" }),
  })
  await server.stop("SIGKILL")
}
