import type { TransactionRecord, UserWithBalance } from "../domain/model.ts"
import { byteOrderMark, type Cell, csvRow, type Separator } from "./write.ts"

type Slices<T> = AsyncGenerator<readonly T[], void>

/** People as the import takes them back, with their balances: the text of a file, piece by piece. */
export const usersCsv = (slices: Slices<UserWithBalance>, separator?: Separator) =>
  tableOf(userColumns, slices, separator, (user) => [
    user.username,
    user.name,
    user.email,
    user.dept,
    user.currency,
    user.avatar,
    user.bio,
    user.balance,
  ])

const userColumns = ["username", "name", "email", "dept", "currency", "avatar", "bio", "balance"]

/** Likewise. Dates are UTC, in the form that spreadsheets know. */
export const transactionsCsv = (slices: Slices<TransactionRecord>, separator?: Separator) =>
  tableOf(transactionColumns, slices, separator, (transaction) => [
    transaction.id,
    spreadsheetDate(transaction.date),
    transaction.senderUsername,
    transaction.receiverUsername,
    transaction.value,
    transaction.note?.reason ?? null,
    transaction.note?.tags.join(" ") ?? null,
  ])

const transactionColumns = ["id", "date", "from_user", "user", "value", "reason", "tags"]

async function* tableOf<T>(
  columns: readonly string[],
  slices: Slices<T>,
  separator: Separator = ",",
  cellsOf: (row: T) => readonly Cell[],
): AsyncGenerator<string, void> {
  yield byteOrderMark + csvRow(columns, separator)
  for await (const slice of slices) yield slice.map((row) => csvRow(cellsOf(row), separator)).join("")
}

const spreadsheetDate = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ")
