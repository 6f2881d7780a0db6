import { transactionColumns } from "../history/records.ts"

/** The columns of a `CountedTransaction`, of `countedRows`. */
export const countedColumns = `${transactionColumns}, original.kind AS "originalKind", original.date AS "originalDate",
  original.value - (SELECT sum(value)::bigint FROM transactions WHERE reverses = original.id AND id <= t.id)
    AS "originalLeft"`

export const countedRows = "transactions t LEFT JOIN transactions original ON original.id = t.reverses"
