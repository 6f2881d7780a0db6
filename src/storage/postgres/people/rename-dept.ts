import { DomainError } from "../../../domain/errors.ts"
import type { UserStore } from "../../../domain/store.ts"
import { writeAudit } from "../audit.ts"
import { lockAccounts } from "../auth/sessions.ts"
import type { Client } from "../database/client.ts"

/** Long, because a department may hold everybody. */
const patienceMs = 60_000

/** Moves a whole department in one commit. */
export function createRenameDept(client: Client): Pick<UserStore, "renameDept"> {
  return {
    renameDept: (from, to, audit) =>
      client.transaction(
        async (tx) => {
          lockAccounts(tx)
          // First, because it waits for runs that begin at this moment and copy the audience.
          const allowances = await tx.query<{ isRemoved: boolean }>(
            `UPDATE allowances SET audience = json_build_object('dept', $2::text)::text
             WHERE audience::json ->> 'dept' = $1 RETURNING removed_at IS NOT NULL AS "isRemoved"`,
            [from, to],
          )
          // A run keeps its audience in memory while it pays. Under the old name it would then find nobody.
          const [run] = await tx.query(
            "SELECT 1 FROM allowance_runs WHERE finished_at IS NULL AND audience::json ->> 'dept' = $1 LIMIT 1",
            [from],
          )
          if (run) throw new DomainError("dept_being_paid")
          const people = await tx.query<{ isActive: boolean }>(
            `UPDATE users SET dept = $2 WHERE dept = $1 RETURNING deactivated_at IS NULL AS "isActive"`,
            [from, to],
          )
          writeAudit(tx, audit)
          return {
            people: people.filter(({ isActive }) => isActive).length,
            allowances: allowances.filter(({ isRemoved }) => !isRemoved).length,
          }
        },
        { patienceMs },
      ),
  }
}
