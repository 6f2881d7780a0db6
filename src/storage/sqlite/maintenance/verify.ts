import type { Database } from "bun:sqlite"
import { codeOf } from "../database/errors.ts"
import { missingFrom } from "../database/migrate.ts"
import { migrations } from "../database/migrations.ts"
import { changedSchema, damage, danglingKeys, strangeSchema } from "./verify/file.ts"
import { ledgerFaults } from "./verify/ledger.ts"
import { emptyBehindMark, markFaults } from "./verify/mark.ts"
import { leaderboardFaults } from "./verify/standings.ts"
import type { FoundMark } from "./watermark.ts"

/** Something in the database that is damaged, is missing, or contradicts the rest. */
export interface Finding {
  /** What was looked at, such as `balances`. */
  readonly check: string
  /** One sentence without full stop. */
  readonly fault: string
}

/** What is looked at: the database as it is, and what is known of it beside it. */
export interface Subject {
  readonly client: Database
  /** Null where none is kept, as beside a backup. */
  readonly mark: FoundMark
}

/** One check, which may find under more than one name. It reads the state of one moment, and row by row. */
type Check = (subject: Subject) => Iterable<Finding>

const checks: readonly Check[] = [damage, danglingKeys, strangeSchema, ledgerFaults, leaderboardFaults, markFaults]
/** Those of what is served, and not of what somebody put beside it. */
const checksOfContent: readonly Check[] = [damage, changedSchema, danglingKeys, ledgerFaults]
/** Of a database that still lacks migrations: what SQLite itself can check, since its tables may be other ones. */
const checksOfEarlier: readonly Check[] = [damage, danglingKeys]
/** Of a database without any table. */
const checksOfNew: readonly Check[] = [damage, emptyBehindMark]

/**
 * Holds the database against itself and against its mark. Nothing is written, and writers go on meanwhile. Memory does
 * not grow with the number of transactions.
 * @throws DatabaseUnusable when it is another program's or a newer version's
 */
export function* verify(client: Database, mark: FoundMark): Generator<Finding> {
  const missing = missingFrom(client).length
  const wanted = missing === 0 ? checks : missing < migrations.length ? checksOfEarlier : checksOfNew
  yield* findings({ client, mark }, wanted)
}

/** The same of a database that is up to date, without its mark and what somebody added to it. */
export const verifyContent = (client: Database): Generator<Finding> => findings({ client, mark: null }, checksOfContent)

function* findings(subject: Subject, checks: readonly Check[]): Generator<Finding> {
  const { client } = subject
  for (const check of checks) {
    client.run("BEGIN")
    try {
      yield* check(subject)
    } catch (error) {
      if (!codeOf(error).startsWith("SQLITE_")) throw error
      yield { check: "file", fault: `it cannot be read: ${String(error)}` }
    } finally {
      if (client.inTransaction) client.run("ROLLBACK")
    }
  }
}

/** How many transactions there are. */
export const countIn = (client: Database): number =>
  client.query<{ count: number }, []>("SELECT count(*) AS count FROM transactions").get()?.count ?? 0
