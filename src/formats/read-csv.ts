import { DomainError } from "../domain/errors.ts"
import { nextTick } from "../domain/ticks.ts"
import { withoutEscapedFormulas } from "./csv.ts"
import { decodedText, type Encoding, faultIn } from "./decoding.ts"

/** A file, and what was detected about it. */
export interface CsvTable {
  readonly encoding: Encoding
  /** The character between cells. */
  readonly separator: string
  readonly rows: readonly (readonly string[])[]
}

interface Limits {
  /** Rows below the header. */
  readonly maxRows: number
  readonly maxColumns: number
}

/** Characters that are read in one tick, apart from a longer row: a few milliseconds of work. */
const charactersAtOnce = 16_384
/** Greatest length of a row in characters: several times what its fields may have. */
const maxRowLength = 65_536

/**
 * The rows of a CSV file, as texts without the empty cells at their ends: comma, semicolon, tab or bar, or whatever a first
 * line `sep=` names, and any line ends. A blank line above others is a row without cells, so that rows have the numbers
 * that a spreadsheet shows; it does not show the line `sep=`. Reads one row and one column more than allowed, which tells the
 * caller that there are too many. Reading is split into time slices.
 *
 * Not read with csv-parse: it makes a stream of the rows of each piece of the file, and a file of line ends or commas
 * then holds the event loop for a second.
 * @throws DomainError `invalid`, naming the row
 */
export async function readCsv(bytes: Uint8Array, { maxRows, maxColumns }: Limits): Promise<CsvTable> {
  const { text, encoding } = await decodedText(bytes)
  const named = separatorLine.exec(text.slice(0, longestSeparatorLine))
  const start = named?.[0].length ?? 0
  const separator = named?.[1]?.replace("\\t", "\t") ?? separatorOf(text)
  const rows: string[][] = []
  let blank = 0
  let sliceEnd = charactersAtOnce
  for (let at = start; at < text.length && rows.length < maxRows + 2; ) {
    if (at >= sliceEnd) {
      await nextTick()
      sliceEnd = at + charactersAtOnce
    }
    const { cells, end } = rowAt(text, at, { separator, maxColumns }, rows.length + blank + 1)
    at = end
    if (cells.length === 0) blank += 1
    else {
      // Blank rows below the last one do not count: spreadsheets write thousands of them.
      for (; blank > 0 && rows.length < maxRows + 1; blank -= 1) rows.push([])
      rows.push(cells)
    }
  }
  return { encoding, separator, rows }
}

/** The line that Excel understands, also after it was saved as a table. */
const separatorLine = /^"?sep=(\\t|[^"\r\n])"?[,;\t|]*(?:\r\n|\n|\r|$)/i
const longestSeparatorLine = 300

/** Lines without a separator that may stand above the header. */
const maxLinesAbove = 50

/** In the order of preference. */
const separators = [",", ";", "\t", "|"]

/** The separator that makes most cells of the first row that has several, and is no title with a comma in it. */
function separatorOf(text: string): string {
  const first = rowWithSeveral(text, 0)
  if (first === null) return ","
  const next = rowWithSeveral(text, first.end)
  const isTitle = next !== null && next.cells > first.cells && next.found[separators.indexOf(first.separator)] === 1
  return (isTitle ? next : first).separator
}

/** The first row from `start` on that some separator divides. */
function rowWithSeveral(text: string, start: number) {
  for (let at = start, lines = 0; at < Math.min(text.length, maxRowLength) && lines < maxLinesAbove; lines += 1) {
    const found = separators.map((separator) => countedCells(text, at, separator))
    const cells = Math.max(...found)
    const length = text.slice(at, at + maxRowLength).search(/[\r\n]/)
    const end = length === -1 ? text.length : at + length + (text.startsWith("\r\n", at + length) ? 2 : 1)
    if (cells > 1) return { separator: separators[found.indexOf(cells)] ?? ",", cells, found, end }
    at = end
  }
  return null
}

/** None, if the row cannot be read with this separator. */
function countedCells(text: string, start: number, separator: string): number {
  try {
    return rowAt(text, start, { separator, maxColumns: maxRowLength }, 1).cells.length
  } catch (error) {
    if (error instanceof DomainError) return 0
    throw error
  }
}

interface Form {
  readonly separator: string
  readonly maxColumns: number
}

/** The row that begins at `start`, and where the next one begins. @throws DomainError `invalid` */
function rowAt(text: string, start: number, { separator, maxColumns }: Form, number: number) {
  const cells: string[] = []
  for (let at = start; ; at += 1) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    if (cell.end - start > maxRowLength) throw faultIn(`row ${number}`, `at most ${maxRowLength} characters`)
    if (cell.fault !== null) throw faultIn(`row ${number}`, cell.fault)
    if (cells.length <= maxColumns) cells.push(withoutEscapedFormulas(cell.value))
    else if (cell.value !== "") cells[maxColumns] = cell.value
    at = cell.end
    if (at === text.length) return { cells: withoutEnd(cells), end: at }
    if (text[at] === separator) continue
    if (text[at] === "\n") return { cells: withoutEnd(cells), end: at + 1 }
    if (text[at] === "\r") return { cells: withoutEnd(cells), end: text[at + 1] === "\n" ? at + 2 : at + 1 }
    throw faultIn(`row ${number}`, strayQuote)
  }
}

/** Without the empty cells at its end: files have whole columns and rows of them. */
function withoutEnd(cells: string[]): string[] {
  while (cells.at(-1) === "") cells.pop()
  return cells
}

/** A cell, and where it ends. */
interface FoundCell {
  readonly value: string
  readonly end: number
  readonly fault: string | null
}

const strayQuote = "a quote inside a cell must be doubled, and the cell quoted"

function plainCell(text: string, start: number, separator: string): FoundCell {
  const afterRow = Math.min(text.length, start + maxRowLength + 1)
  let end = start
  // What is copied from a sheet has tabs and no quotes but those of its text.
  const stray = separator === "\t" ? null : '"'
  while (end < afterRow && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r" && text[end] !== stray)
    end += 1
  return { value: text.slice(start, end), end, fault: stray !== null && text[end] === stray ? strayQuote : null }
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
