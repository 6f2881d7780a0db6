import type { NewJob } from "../domain/model.ts"
import type { Tx } from "./database.ts"
import { row, sql } from "./sql.ts"
import { jobs } from "./tables.ts"

/** Stores jobs in the commit of the change that they are about. */
export function insertJobs(tx: Pick<Tx, "send">, newJobs: readonly NewJob[]) {
  for (const { payload, ...job } of newJobs) {
    const stored = { ...job, payload: sql`${JSON.stringify(payload)}::text::jsonb`, state: "available" as const }
    tx.send(sql`INSERT INTO ${jobs} ${row(jobs, stored)}`)
  }
}
