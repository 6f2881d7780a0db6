import type { AuditRecord } from "../domain/audit/ports.ts"
import { type Calendar, dayText } from "../domain/calendar.ts"
import { DomainError } from "../domain/errors.ts"
import type { ExportedTransaction, ExportedUser } from "../domain/exports/exports.ts"
import { isActive } from "../domain/people/model.ts"
import type { Redemption } from "../domain/rewards/model.ts"
import { nextTick } from "../domain/ticks.ts"
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
 * ignore (domain/people/import-columns.ts).
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
const apostropheBeforeFormula = new RegExp(beforeFormula.source.replaceAll("(?='*", "'(?='*"), "g")

/** Puts an apostrophe before each formula, so that spreadsheets treat what follows as text. */
const withEscapedFormulas = (text: string): string => text.replace(beforeFormula, "'")

/** Undoes `withEscapedFormulas`. */
const withoutEscapedFormulas = (text: string): string => text.replace(apostropheBeforeFormula, "")

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** Characters that are read in one tick, apart from a longer row: a few milliseconds of work. */
const charactersAtOnce = 16_384
/** Greatest length of a row in characters: several times what its fields may have. */
const maxRowLength = 65_536
/** Cells of a row beyond this number are dropped: no table has so many columns. */
const maxCells = 64

/**
 * The rows of a CSV file, as texts: UTF-8 with or without BOM, comma or semicolon, any line ends. A blank line is a row
 * without cells, so that rows have the numbers that a spreadsheet shows. Reads at most `maxRows` rows below the header,
 * plus one that tells the caller that there are too many. Reading is split into time slices.
 *
 * Not read with csv-parse: it makes a stream of the rows of each piece of the file, and a file of line ends or commas
 * then holds the event loop for a second.
 * @throws DomainError `invalid`, naming the row
 */
export async function readCsv(bytes: Uint8Array, maxRows: number): Promise<string[][]> {
  const text = decoded(bytes)
  const separator = separatorOf(text)
  const rows: string[][] = []
  let sliceEnd = charactersAtOnce
  for (let at = 0; at < text.length && rows.length < maxRows + 2; ) {
    if (at >= sliceEnd) {
      await nextTick()
      sliceEnd = at + charactersAtOnce
    }
    const { cells, end } = rowAt(text, at, separator, rows.length + 1)
    rows.push(cells.length === 1 && cells[0] === "" ? [] : cells.map(withoutEscapedFormulas))
    at = end
  }
  return rows
}

/** The row that begins at `start`, and where the next one begins. @throws DomainError `invalid` */
function rowAt(text: string, start: number, separator: Separator, number: number) {
  const cells: string[] = []
  for (let at = start; ; at += 1) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    if (cell.end - start > maxRowLength) throw faultIn(`row ${number}`, `at most ${maxRowLength} characters`)
    if (cell.fault !== null) throw faultIn(`row ${number}`, cell.fault)
    if (cells.length < maxCells) cells.push(cell.value)
    at = cell.end
    if (at === text.length) return { cells, end: at }
    if (text[at] === separator) continue
    if (text[at] === "\n") return { cells, end: at + 1 }
    if (text[at] === "\r") return { cells, end: text[at + 1] === "\n" ? at + 2 : at + 1 }
    throw faultIn(`row ${number}`, strayQuote)
  }
}

/** A file has no fields, so that only the sentence says where the fault is. */
const faultIn = (place: string, rule: string) => new DomainError("invalid", { detail: `${place}: ${rule}` })

/** A cell, and where it ends. */
interface FoundCell {
  readonly value: string
  readonly end: number
  readonly fault: string | null
}

const strayQuote = "a quote inside a cell must be doubled, and the cell quoted"

function plainCell(text: string, start: number, separator: Separator): FoundCell {
  const afterRow = Math.min(text.length, start + maxRowLength + 1)
  let end = start
  while (end < afterRow && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r" && text[end] !== '"')
    end += 1
  return { value: text.slice(start, end), end, fault: text[end] === '"' ? strayQuote : null }
}

/** A doubled quote in it stands for a quote. */
function quotedCell(text: string, start: number): FoundCell {
  const afterRow = start + maxRowLength + 1
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    const end = quote === -1 ? text.length : quote
    if (end > afterRow) return { value: "", end: afterRow, fault: null } // too long, as the caller sees
    if (quote === -1) return { value: "", end, fault: "a quote is never closed" }
    if (text[quote + 1] !== '"')
      return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1, fault: null }
    from = quote + 2
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw faultIn("file", "must be UTF-8; in a spreadsheet, save it as “CSV UTF-8”")
  }
}

/** The more frequent of semicolon and comma in the header, because column names contain neither. */
function separatorOf(text: string): Separator {
  const [first = ""] = text.slice(0, maxRowLength).split(/[\r\n]/, 1)
  return first.split(";").length > first.split(",").length ? ";" : ","
}
