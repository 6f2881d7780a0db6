import { Readable } from "node:stream"
import type { CsvError } from "csv-parse"
import { invalid } from "../domain/errors.ts"
import { unmarked } from "./formula.ts"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** Fed to the parser between two ticks: 5 to 10 ms of work. */
const bytesAtOnce = 65_536
/** Of one row, in bytes: several times what fits its fields. */
const maxRowBytes = 65_536
/** More than these of one row are not read: no table has so many columns. */
const maxCells = 64

/**
 * The rows of a CSV file as texts: UTF-8 with or without BOM, comma or semicolon, any line ends. Blank lines are rows
 * without cells, so that a row's number is the one that a spreadsheet shows. Under the first one, no more than `maxRows`
 * are read, and one that shows that there are more. Others have their turn on the event loop in between.
 * @throws DomainError `invalid`, naming the row
 */
export async function readCsv(bytes: Uint8Array, maxRows: number): Promise<string[][]> {
  const { CsvError, parse } = await import("csv-parse")
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(decoded(bytes)),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    max_record_size: maxRowBytes,
  })
  const rows: string[][] = []
  try {
    for await (const cells of Readable.from(piecesOf(bytes)).compose(parser)) {
      rows.push(cells.length === 1 && cells[0] === "" ? [] : cells.slice(0, maxCells).map(unmarked))
      if (rows.length === maxRows + 2) break
    }
    return rows
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`row ${Number(error.records) + 1}`, reasonOf(error))
    throw error
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += bytesAtOnce) {
    yield bytes.subarray(at, at + bytesAtOnce)
    await new Promise(setImmediate)
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw invalid("file", "UTF-8; a spreadsheet writes it as “CSV UTF-8”")
  }
}

/** What stands more often in the first line, whose names hold neither. */
function delimiterOf(text: string): string {
  const [first = ""] = text.slice(0, maxRowBytes).split(/[\r\n]/, 1)
  return first.split(";").length > first.split(",").length ? ";" : ","
}

const reasonOf = ({ code }: CsvError): string => {
  if (code === "CSV_MAX_RECORD_SIZE") return `at most ${maxRowBytes} bytes`
  return code === "CSV_QUOTE_NOT_CLOSED" ? "a quote is opened and never closed" : "a quote stands where none may stand"
}
