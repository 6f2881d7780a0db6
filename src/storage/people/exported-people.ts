import type { ExportStore } from "../../domain/exports/ports.ts"
import { largestOf, type Reads } from "../database.ts"
import { select } from "../sql.ts"
import { balances, users } from "../tables.ts"
import { personalRows } from "./personal-data.ts"
import { userWithBalance } from "./user-rows.ts"

/** Rows in a slice. They take half a millisecond, and some 50 KB as text. */
export const sliceLength = 500

/** Exports of people. Each slice is read when the caller asks for it. */
export const createPeopleExports = (reads: Reads): Pick<ExportStore, "users" | "personalRows"> => ({
  async *users() {
    const end = await largestOf(reads, users.id)
    for (let from = 0; from < end; ) {
      const slice = await reads.all(
        select(userWithBalance)`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
          WHERE ${users.id} > ${from} AND ${users.id} <= ${end} ORDER BY ${users.id} LIMIT ${sliceLength}`,
      )
      if (slice.length > 0) yield slice
      from = slice.at(-1)?.id ?? end
    }
  },
  personalRows: (person) => personalRows(reads, person),
})
