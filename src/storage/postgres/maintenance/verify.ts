import { DatabaseUnusable } from "../../opening.ts"
import type { Damage, Verification } from "../../verify/damage.ts"
import type { Client, Queries } from "../database/client.ts"
import { missingFrom } from "../database/migrate.ts"
import { migrations } from "../database/migrations.ts"
import {
  keyFaults,
  leaderboardFaults,
  ledgerFaults,
  pairFaults,
  redemptionFaults,
  type VerifyOptions,
} from "./ledger-faults.ts"
import { danglingKeys, schemaFaults } from "./schema.ts"

/** Reading ten million transactions takes minutes. */
const patienceMs = 24 * 3_600_000

/**
 * Checks a database for damage, on one snapshot, so processes may write meanwhile. Changes nothing.
 * @throws DatabaseUnusable when it is another program's, or another version's
 */
export async function verify(client: Client, options: VerifyOptions = {}): Promise<Verification> {
  const missing = await missingFrom(client)
  if (missing.length === migrations.length) return { transactions: 0, findings: [] }
  if (missing.length > 0)
    throw new DatabaseUnusable("it is not up to date; bring it up to date with `rewards migrate`, then verify it")
  return client.snapshot(async (queries) => {
    const findings = await Array.fromAsync(faults(queries, options))
    const [row] = await queries.query<{ count: number }>("SELECT count(*) AS count FROM transactions")
    return { transactions: row?.count ?? 0, findings }
  }, patienceMs)
}

/** Everything that is wrong with a database that is up to date. */
export async function* faults(queries: Queries, options: VerifyOptions = {}): AsyncGenerator<Damage> {
  yield* schemaFaults(queries)
  yield* danglingKeys(queries)
  yield* ledgerFaults(queries, options)
  yield* pairFaults(queries)
  yield* keyFaults(queries)
  yield* redemptionFaults(queries)
  yield* leaderboardFaults(queries)
}
