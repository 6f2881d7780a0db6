/** The columns of `CountedTransaction`, of `countedRows`. */
export const countedColumns = `t.id, t.user_id AS receiverId, t.from_id AS senderId, t.value, t.date, t.kind,
  original.kind AS originalKind, original.date AS originalDate,
  original.value - (SELECT sum(value) FROM transactions WHERE reverses = original.id AND id <= t.id) AS originalLeft`

export const countedRows = "transactions AS t LEFT JOIN transactions AS original ON original.id = t.reverses"
