import type { AuditRecord } from "../domain/audit/ports.ts"
import { type Calendar, dayText } from "../domain/calendar.ts"
import type { ExportedTransaction, ExportedUser } from "../domain/exports/exports.ts"
import { isActive } from "../domain/people/model.ts"
import type { Redemption } from "../domain/rewards/model.ts"
import { inSlices } from "./json-lists.ts"
import { utc } from "./views/dates.ts"

/*
 * CSV is not written with csv-stringify, because its `escape_formulas` looks only at the beginning of a cell, and an
 * import could not undo it.
 */

/** The separator of cells. Spreadsheets in languages that write `1,5` expect a semicolon. */
type Separator = "," | ";"

type Slices<T> = AsyncGenerator<readonly T[], void>

type Cell = string | number | null

/** How the cells of a table are made from its rows, by column. */
type Columns<T> = Readonly<Record<string, (row: T) => Cell>>

/**
 * Users with their balances. Yields the text of the file piece by piece. An import reads every column that it does not
 * ignore (domain/people/import-vocabulary.ts).
 */
export const usersCsv = (slices: Slices<ExportedUser>, separator?: Separator) => tableOf(userColumns, slices, separator)

const userColumns: Columns<ExportedUser> = {
  username: ({ username }) => username,
  name: ({ name }) => name,
  email: ({ email }) => email,
  dept: ({ dept }) => dept,
  currency: ({ currency }) => currency,
  avatar: ({ avatar }) => avatar,
  bio: ({ bio }) => bio,
  birthday: ({ birthday }) => birthday,
  joined: ({ joined }) => joined,
  manager: ({ manager }) => manager,
  active: (user) => (isActive(user) ? "yes" : "no"),
  balance: ({ balance }) => balance,
}

/** Formats the dates of a table, and names their time zone. */
type Clocks = Pick<Calendar, "clockTime" | "timeZone">

/** Transactions. Yields the text of the file piece by piece. */
export const transactionsCsv = (slices: Slices<ExportedTransaction>, clocks: Clocks, separator?: Separator) =>
  tableOf(transactionColumns(clocks), slices, separator)

const transactionColumns = ({ clockTime, timeZone }: Clocks): Columns<ExportedTransaction> => ({
  id: ({ id }) => id,
  date: ({ date }) => clockTime(date),
  time_zone: () => timeZone,
  kind: ({ kind }) => kind,
  from_user: ({ senderUsername }) => senderUsername,
  from_name: ({ sender }) => sender.name,
  from_dept: ({ sender }) => sender.dept,
  user: ({ receiverUsername }) => receiverUsername,
  name: ({ receiver }) => receiver.name,
  dept: ({ receiver }) => receiver.dept,
  value: ({ value }) => value,
  reason: ({ note }) => note?.reason ?? null,
  tags: ({ note }) => note?.tags.join(" ") ?? null,
  group: ({ group }) => group,
  reference: ({ reference }) => reference,
  adds_to: ({ addsTo }) => addsTo,
})

/** Redemptions, for payroll too. Yields the text of the file piece by piece. */
export const redemptionsCsv = (
  slices: Slices<Redemption>,
  clocks: Clocks & Pick<Calendar, "dayOf">,
  separator?: Separator,
) => tableOf(redemptionColumns(clocks), slices, separator)

const redemptionColumns = ({ clockTime, timeZone, dayOf }: Clocks & Pick<Calendar, "dayOf">): Columns<Redemption> => ({
  id: ({ id }) => id,
  date: ({ date }) => clockTime(date),
  time_zone: () => timeZone,
  username: ({ username }) => username,
  name: ({ name }) => name,
  reward: ({ rewardName }) => rewardName,
  cost: ({ cost }) => cost,
  state: ({ state }) => state,
  comment: ({ comment }) => comment,
  answer: ({ answer }) => answer,
  answered_at: ({ answeredAt }) => (answeredAt === null ? null : clockTime(answeredAt)),
  dept: ({ dept }) => dept,
  money_value: ({ moneyValue }) => moneyValue,
  taxable: ({ isTaxable }) => (isTaxable ? "yes" : "no"),
  fulfilled_on: ({ state, answeredAt }) =>
    state === "fulfilled" && answeredAt !== null ? dayText(dayOf(answeredAt)) : null,
})

/** Entries of the audit log. Yields the text of the file piece by piece. */
export const auditCsv = (slices: Slices<AuditRecord>, separator?: Separator) => tableOf(auditColumns, slices, separator)

const auditColumns: Columns<AuditRecord> = {
  id: ({ id }) => id,
  at: ({ at }) => utc(at),
  who: ({ who }) => who,
  what: ({ action }) => action,
  whom: ({ whom }) => whom,
  before_values: ({ before }) => before && JSON.stringify(before),
  after_values: ({ after }) => after && JSON.stringify(after),
  address: ({ address }) => address,
  way: ({ way }) => way,
  count: ({ count }) => count,
  detail: ({ detail }) => detail,
}

/** Rows that are all in memory, in these columns. */
export const rowsCsv = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
  separator?: Separator,
) => {
  const cellOf = (column: string) => (row: Readonly<Record<string, Cell>>) => row[column] ?? null
  return tableOf(Object.fromEntries(columns.map((column) => [column, cellOf(column)])), inSlices(rows), separator)
}

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = "\uFEFF"

async function* tableOf<T>(
  columns: Columns<T>,
  slices: Slices<T>,
  separator: Separator = ",",
): AsyncGenerator<string, void> {
  const cells = Object.values(columns)
  yield byteOrderMark + csvRow(Object.keys(columns), separator)
  for await (const slice of slices)
    yield slice
      .map((row) =>
        csvRow(
          cells.map((cell) => cell(row)),
          separator,
        ),
      )
      .join("")
}

const csvRow = (cells: readonly Cell[], separator: Separator): string =>
  `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`

function csvCell(cell: Cell, separator: Separator): string {
  if (cell === null) return ""
  // Where cells are separated by a semicolon, a spreadsheet takes 1.5 for a text or a day.
  if (typeof cell === "number") return separator === ";" ? String(cell).replace(".", ",") : String(cell)
  const text = withEscapedFormulas(cell)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * The places in a text where a spreadsheet might start a formula: the beginning, and after every character that
 * separates cells in some country, because quotes protect a text only in a file that is read with the separator it was
 * written for. Full-width signs count too. At the beginning of the text, white space counts as well, because some
 * programs look for a formula after it. The apostrophes of an earlier export may come first.
 */
const beforeFormula = /(?:^(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[,;\t\r\n"])(?='*[=+\-@＝＋－＠]))/g

/** Puts an apostrophe before each formula, so that spreadsheets treat what follows as text. */
const withEscapedFormulas = (text: string): string => text.replace(beforeFormula, "'")

/** Undoes `withEscapedFormulas`, for an import. */
export const withoutEscapedFormulas = (text: string): string => text.replace(apostropheBeforeFormula, "")

const apostropheBeforeFormula = new RegExp(beforeFormula.source.replaceAll("(?='*", "'(?='*"), "g")
