import type { CsvError } from "csv-parse/sync"
import { invalid } from "../domain/errors.ts"
import { unmarked } from "./formula.ts"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * The rows of a CSV file as texts: UTF-8 with or without BOM, comma or semicolon, any line ends. Blank lines are rows
 * without cells, so that a row's number is the one that a spreadsheet shows. Under the first one, no more than `maxRows`
 * are read, and one that shows that there are more.
 * @throws DomainError `invalid`, naming the row
 */
export async function readCsv(bytes: Uint8Array, maxRows: number): Promise<string[][]> {
  const { CsvError, parse } = await import("csv-parse/sync")
  const text = decoded(bytes)
  try {
    const rows: string[][] = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      to: maxRows + 2,
    })
    return rows.map((cells) => (cells.length === 1 && cells[0] === "" ? [] : cells.map(unmarked)))
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`row ${Number(error.records) + 1}`, reasonOf(error))
    throw error
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
  const [first = ""] = text.split(/[\r\n]/, 1)
  return first.split(";").length > first.split(",").length ? ";" : ","
}

const reasonOf = ({ code }: CsvError): string =>
  code === "CSV_QUOTE_NOT_CLOSED" ? "a quote is opened and never closed" : "a quote stands where none may stand"
