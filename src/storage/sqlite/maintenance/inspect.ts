import { existsSync } from "node:fs"
import { openClient } from "../database/client.ts"
import { DatabaseUnusable } from "../database/errors.ts"
import { missingFrom } from "../database/migrate.ts"
import { migrations } from "../database/migrations.ts"
import { countIn, type Finding, verify } from "./verify.ts"
import { acceptMark, knowsOfAny, readMark } from "./watermark.ts"

export interface Inspection {
  /** How many there are; null where the file is too damaged to count them. */
  readonly transactions: number | null
  readonly findings: readonly Finding[]
}

interface Request {
  readonly path: string
  /** Makes the mark follow the database as it was found. */
  readonly accepts: boolean
}

/**
 * Verifies a database as it is, without bringing it up to date, whoever has it open; also one that is not served
 * because it is behind its mark.
 * @throws DatabaseUnusable when there is none, or it is another program's or a newer version's
 */
export function inspect({ path, accepts }: Request): Inspection {
  if (!existsSync(path)) return inspectNothing(path, accepts)
  const mark = readMark(path) // first, since the database may go on meanwhile
  const client = openClient(path, { create: false })
  try {
    client.run("PRAGMA busy_timeout = 5000")
    const findings = [...verify(client, mark)]
    const missing = missingFrom(client).length
    if (accepts) acceptMark(missing === 0 ? client : null, path)
    const isDamaged = findings.some(({ check }) => check === "file")
    return { transactions: isDamaged ? null : missing < migrations.length ? countIn(client) : 0, findings }
  } finally {
    client.close()
  }
}

function inspectNothing(path: string, accepts: boolean): Inspection {
  const isMissing = knowsOfAny(readMark(path))
  if (!isMissing) throw new DatabaseUnusable("there is no such file")
  if (accepts) acceptMark(null, path)
  return {
    transactions: 0,
    findings: [{ check: "mark", fault: "all transactions are missing: there is no such file" }],
  }
}
