import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { DomainError } from "../../src/domain/errors.ts"
import { readCsv } from "../../src/formats/csv.ts"
import { countTicks } from "../support/ticks.ts"

const maxRows = 20_000
/** The longest row, and the most that is read in one tick. */
const maxRowLength = 65_536

/** Files of 9 MB that are read to the end, with the size of the table that they become. */
const files: [name: string, text: string, table: { rows: number; cells: number }][] = [
  ["many rows", `${"x".repeat(450)},b\n`.repeat(20_000), { rows: 20_000, cells: 2 }],
  ["long cells", `${"x".repeat(60_000)},b\n`.repeat(150), { rows: 150, cells: 2 }],
  ["many rows of 65,000 cells", `${",".repeat(65_000)}\n`.repeat(138), { rows: 138, cells: 64 }],
  ["many rows of 450 cells", `${",".repeat(450)}\n`.repeat(20_000), { rows: 20_000, cells: 64 }],
]

test.each(files)(
  "%s: read in time slices, and cells after the 64th are dropped",
  async (_, text, table) => {
    const bytes = Buffer.from(text)
    const { result, ticks } = await countTicks(() => readCsv(bytes, maxRows))

    expect({ rows: result.length, cells: Math.max(...result.map((cells) => cells.length)) }).toEqual(table)
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(bytes.length / maxRowLength))
  },
  120_000,
)

const tooLong = (row: number) =>
  new DomainError("invalid", { detail: `row ${row}: at most ${maxRowLength} characters` })
const refusedFiles: [name: string, text: string, error: Error][] = [
  ["a header of 9 MB", `name${",name".repeat(1_800_000)}`, tooLong(1)],
  ["a cell of 9 MB", `name\n${"a".repeat(9_000_000)}`, tooLong(2)],
  ["a cell of 4,500,000 quotes", `name\n"${'""'.repeat(4_500_000)}"`, tooLong(2)],
  ["a row of 9,000,000 cells", `name\n${",".repeat(9_000_000)}`, tooLong(2)],
  ["an open quote before 9 MB", `name\n"${"a\n".repeat(4_500_000)}`, tooLong(2)],
  ["a row that is one character too long", `name\n${"a".repeat(maxRowLength + 1)}\n`, tooLong(2)],
  ["a quoted row that is one character too long", `name\n"${"a".repeat(maxRowLength - 1)}"\n`, tooLong(2)],
]

test.each(refusedFiles)("%s is refused before four slices are read", async (_, text, error) => {
  const { result, ticks } = await countTicks(() => readCsv(Buffer.from(text), maxRows).catch((thrown) => thrown))

  expect(result).toEqual(error)
  expect(ticks).toBeLessThan(4)
})

test("from a file of 9,000,000 rows, only one row more than the limit is read", async () => {
  const { result, ticks } = await countTicks(() => readCsv(Buffer.from(`name\n${"\n".repeat(9_000_000)}`), maxRows))

  expect(result).toHaveLength(maxRows + 2)
  expect(ticks).toBeLessThan(4)
})

test("the longest rows are read", async () => {
  const [plain, quoted] = ["a".repeat(maxRowLength), "a".repeat(maxRowLength - 2)]

  expect(await readCsv(Buffer.from(`${plain}\n"${quoted}"\r\n${plain}`), maxRows)).toEqual([[plain], [quoted], [plain]])
})

test("every file is read as csv-parse reads it, or refused like there", async () => {
  const pieces = ["a", "ß", "👏", " ", ",", "\n", "\r\n", "\r", '"', '""', '","', '"a""b"', '"\n"', "\uFEFF"]
  const file = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `a,b\n${parts.join("")}`)

  await fc.assert(
    fc.asyncProperty(file, async (text) => {
      const read = await readCsv(Buffer.from(text), maxRows).catch(() => "refused")
      expect(read).toEqual(readByCsvParse(text))
    }),
    { numRuns: 3000 },
  )
})

function readByCsvParse(text: string): string[][] | string {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n", "\r"],
    })
    return rows.map((cells) => (cells.length === 1 && cells[0] === "" ? [] : cells))
  } catch {
    return "refused"
  }
}
