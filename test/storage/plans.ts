import type { Database } from "bun:sqlite"

/** The steps of a statement's plan that are too expensive in a large database. */
export const wrongSteps = (client: Database, sql: string): string[] =>
  wrongIn(
    client
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  )

/** The steps that are not allowed. Allowed: to look rows up by id, by the transaction that they reverse or by their group; to scan and sort a list given in the query; to search users by username or department,
 *  and the few erased people. */
export function wrongIn(plan: readonly string[]): string[] {
  const isOfAsked = plan.some((step) => /^SCAN \w+ VIRTUAL TABLE/.test(step))
  return plan.filter(
    (step) =>
      !/^SEARCH \w+ USING INTEGER PRIMARY KEY/.test(step) &&
      !/^SEARCH users USING (COVERING )?INDEX \w+ \(username/.test(step) &&
      !/^SEARCH users USING COVERING INDEX users_erased /.test(step) &&
      !/^SEARCH users (EXISTS )?USING COVERING INDEX users_by_dept \(dept=\? AND rowid=\?\)/.test(step) &&
      !/^SEARCH \w+ (EXISTS )?USING (COVERING )?INDEX transactions_by_(reversed|group)/.test(step) &&
      !/^(CORRELATED SCALAR|LIST) SUBQUERY \d+$/.test(step) &&
      !(isOfAsked && /^(SCAN \w+ VIRTUAL TABLE|USE TEMP B-TREE FOR ORDER BY)/.test(step)) &&
      !/^(CO-ROUTINE walk|SETUP|RECURSIVE STEP|SCAN walk)$/.test(step) &&
      step !== "SCAN ledger_state",
  )
}
