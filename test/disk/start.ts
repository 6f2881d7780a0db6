import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { booksOf } from "../durability/books.ts"
import { type Company, settings } from "../durability/company.ts"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import type { Fault, Shim } from "./shim.ts"

export interface StartReport {
  /** Whether the command was refused. */
  readonly refused: boolean
  readonly wrong: readonly string[]
}

/**
 * Has the disk fail under the command line, from its first call on: it opens a database that a killed server left,
 * writes one transaction and closes. Status 0 stands for a transaction that is there, any other tells why in one
 * plain line; on a sound disk all is as it was before, or has that one transaction.
 */
export async function playStart(company: Company, shim: Shim, fault: Fault): Promise<StartReport> {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const database = join(cwd, "rewards.db")
  await copyFile(company.database, database)
  await leaveWal(cwd)
  using disk = shim.disk(database, join(cwd, "control"))

  disk.fail(fault)
  const { status, stderr } = await runCommand(["transaction", "member-1", "7"], { cwd, env: disk.env })
  disk.mend()

  await using _ = await startServer({ cwd })
  const { transactions, faults } = booksOf(database)
  const added = transactions.slice(company.transactions).map(({ value }) => value)
  const mayBe = status === 0 ? ["7"] : ["", "7"]
  // Log lines may stand before it: of the watermark file, for one.
  const isPlain = status === 0 || /^(\{[^\n]*\n\s*)*[^\n{]+\n$/.test(stderr)
  return {
    refused: status !== 0,
    wrong: [
      ...faults,
      ...(mayBe.includes(added.join()) ? [] : [`status ${status}, and recorded is ${added}`]),
      ...(isPlain ? [] : [`status ${status}, and told was ${stderr}`]),
    ],
  }
}

/** A server that is killed leaves what it wrote last beside the database. */
async function leaveWal(cwd: string) {
  await using server = await startServer({ cwd, config: settings })
  await fetch(`${server.url}/user/pwd_reset_token/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nobody@example.com" }),
  })
  await server.stop("SIGKILL")
}
