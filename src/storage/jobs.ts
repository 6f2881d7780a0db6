import type { NewJob } from "../domain/model.ts"
import type { Tx } from "./database.ts"
import { row, sql } from "./sql.ts"
import { jobs } from "./tables.ts"

/** Stores jobs in the commit of the change that they are about. */
export function insertJobs(tx: Pick<Tx, "send">, newJobs: readonly NewJob[]) {
  for (const job of newJobs) tx.send(sql`INSERT INTO ${jobs} ${row(jobs, { ...job, state: "available" })}`)
}
