import type { TransactionRecord, User } from "../domain/store.ts"
import { byteOrderMark, type Cell, csvRow } from "./write.ts"

type Slices<T> = AsyncGenerator<readonly T[], void>

/** People as the import takes them back, with their balances: the text of a file, piece by piece. */
export const usersCsv = (slices: Slices<User & { readonly balance: number }>): AsyncGenerator<string, void> =>
  tableOf(["username", "name", "email", "dept", "currency", "avatar", "bio", "balance"], slices, (user) => [
    user.username,
    user.name,
    user.email,
    user.dept,
    user.currency,
    user.avatar,
    user.bio,
    user.balance,
  ])

/** Likewise. Dates are UTC, in the form that spreadsheets know. */
export const transactionsCsv = (slices: Slices<TransactionRecord>): AsyncGenerator<string, void> =>
  tableOf(["id", "date", "from_user", "user", "value", "reason", "tags"], slices, (transaction) => [
    transaction.id,
    spreadsheetDate(transaction.date),
    transaction.senderUsername,
    transaction.receiverUsername,
    transaction.value,
    transaction.note?.reason ?? null,
    transaction.note?.tags.join(" ") ?? null,
  ])

async function* tableOf<T>(columns: readonly string[], slices: Slices<T>, cellsOf: (row: T) => readonly Cell[]) {
  yield byteOrderMark + csvRow(columns)
  for await (const slice of slices) yield slice.map((row) => csvRow(cellsOf(row))).join("")
}

const spreadsheetDate = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ")
