import type { CsvError } from "csv-parse"
import { invalid } from "../domain/errors.ts"
import { withoutEscapedFormulas } from "./write.ts"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** Bytes that the parser takes between two ticks: 5 to 10 ms of work. */
const bytesAtOnce = 65_536
/** Bytes of a row, several times what its fields may hold. */
const maxRowBytes = 65_536
/** Further cells of a row are dropped: no table has so many columns. */
const maxCells = 64

/**
 * The rows of a CSV file, as texts: UTF-8 with or without BOM, comma or semicolon, any line ends. A blank line is a row
 * without cells, so that rows have the numbers that a spreadsheet shows. Reads at most `maxRows` rows below the header, and
 * one more, by which the caller sees that there are too many. Reading is split into time slices.
 * @throws DomainError `invalid`, naming the row
 */
export async function readCsv(bytes: Uint8Array, maxRows: number): Promise<string[][]> {
  const [{ Readable }, { CsvError, parse }] = await Promise.all([import("node:stream"), import("csv-parse")])
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
      rows.push(cells.length === 1 && cells[0] === "" ? [] : cells.slice(0, maxCells).map(withoutEscapedFormulas))
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
    throw invalid("file", "must be UTF-8; in a spreadsheet, save it as “CSV UTF-8”")
  }
}

/** The character that is more frequent in the header, since column names contain neither. */
function delimiterOf(text: string): string {
  const [first = ""] = text.slice(0, maxRowBytes).split(/[\r\n]/, 1)
  return first.split(";").length > first.split(",").length ? ";" : ","
}

const reasonOf = ({ code }: CsvError): string => {
  if (code === "CSV_MAX_RECORD_SIZE") return `at most ${maxRowBytes} bytes`
  return code === "CSV_QUOTE_NOT_CLOSED"
    ? "a quote is never closed"
    : "a quote inside a cell must be doubled, and the cell quoted"
}
