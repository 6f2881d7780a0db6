import type { Database } from "bun:sqlite"
import type { LockedAccount, LockedLedger } from "../../postings.ts"

/** The runs of allowances, for the commits that pay them. */
export function createRuns(client: Database) {
  const find = client.prepare<{ throughId: number }, [number]>(
    "SELECT through_id AS throughId FROM allowance_runs WHERE id = ? AND finished_at IS NULL",
  )
  const move = client.prepare(
    `UPDATE allowance_runs SET through_id = ?, people = people + ?, total = total + ?, finished_at = ? WHERE id = ?`,
  )

  return {
    at: (runId) => find.get(runId)?.throughId ?? null,
    move({ runId, throughId, isLast, date }, paid) {
      const total = paid.reduce((sum, { value }) => sum + value, 0)
      move.run(throughId, paid.length, total, isLast ? date : null, runId)
    },
  } satisfies { at: Runs["runAt"]; move: Runs["moveRun"] }
}

type Runs = LockedLedger<LockedAccount>
