/** Columns of a `Transaction`, of the table `t`. */
export const transactionColumns = `t.id, t.user_id AS "receiverId", t.from_id AS "senderId", t.value, t.date, t.kind`

/** Columns of a `TransactionRecord`; add `recordTables` to the tables that are read. */
export const recordColumns = `${transactionColumns}, receiver.username AS "receiverUsername",
  sender.username AS "senderUsername"`

export const recordTables = "JOIN users receiver ON receiver.id = t.user_id JOIN users sender ON sender.id = t.from_id"

/** `isRecognition` of src/domain/recognition/recognitions.ts. */
export const isRecognition = "t.kind = 'transfer' AND t.user_id <> t.from_id"
