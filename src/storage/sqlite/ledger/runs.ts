import type { Database } from "bun:sqlite"
import { type LockedAccount, type LockedLedger, sumsOf } from "../../ledger/postings.ts"

/** The runs of allowances, for the commits that pay them. */
export function createRuns(client: Database): Pick<LockedLedger<LockedAccount>, "runPaidThrough" | "advanceRun"> {
  const find = client.prepare<{ throughId: number }, [number]>(
    "SELECT through_id AS throughId FROM allowance_runs WHERE id = ? AND finished_at IS NULL",
  )
  const advance = client.prepare(
    `UPDATE allowance_runs SET through_id = ?, people = people + ?, total = total + ?, expired = expired + ?,
       finished_at = ? WHERE id = ?`,
  )

  return {
    runPaidThrough: (runId) => find.get(runId)?.throughId ?? null,
    advanceRun({ runId, throughId, isLast, date }, transactions) {
      const { people, total, expired } = sumsOf(transactions)
      advance.run(throughId, people, total, expired, isLast ? date : null, runId)
    },
  }
}
