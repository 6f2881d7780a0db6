import { expect, test } from "bun:test"
import { readCsv } from "../src/csv.ts"
import { invalid } from "../src/domain/errors.ts"
import { countTicks } from "./support/ticks.ts"

const maxRows = 20_000
/** What the parser takes in one tick. */
const bytesInTick = 65_536

/** Files of 9 MB that are read to the end, with the size of the table that they become. */
const files: [name: string, text: string, table: { rows: number; cells: number }][] = [
  ["many rows", `${"x".repeat(450)},b\n`.repeat(20_000), { rows: 20_000, cells: 2 }],
  ["long cells", `${"x".repeat(60_000)},b\n`.repeat(150), { rows: 150, cells: 2 }],
  ["one row of 9,000,000 cells", ",".repeat(9_000_000), { rows: 1, cells: 64 }],
  ["many rows of 450 cells", `${",".repeat(450)}\n`.repeat(20_000), { rows: 20_000, cells: 64 }],
]

test.each(files)(
  "%s: parsed in time slices, and cells after the 64th are dropped",
  async (_, text, table) => {
    const bytes = Buffer.from(text)
    const { result, ticks } = await countTicks(() => readCsv(bytes, maxRows))

    expect({ rows: result.length, cells: Math.max(...result.map((cells) => cells.length)) }).toEqual(table)
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(bytes.length / bytesInTick))
  },
  120_000,
)

const tooLong = (row: number) => invalid(`row ${row}`, "at most 65536 bytes")
const refusedFiles: [name: string, text: string, error: Error][] = [
  ["a header of 9 MB", `name${",name".repeat(1_800_000)}`, tooLong(1)],
  ["a cell of 9 MB", `name\n${"a".repeat(9_000_000)}`, tooLong(2)],
  ["a cell of 4,500,000 quotes", `name\n"${'""'.repeat(4_500_000)}"`, tooLong(2)],
]

test.each(refusedFiles)("%s is refused before the parser has read four slices", async (_, text, error) => {
  const { result, ticks } = await countTicks(() => readCsv(Buffer.from(text), maxRows).catch((thrown) => thrown))

  expect(result).toEqual(error)
  expect(ticks).toBeLessThan(4)
})

test("from a file of 9,000,000 rows, only one row more than the limit is read", async () => {
  const { result, ticks } = await countTicks(() => readCsv(Buffer.from(`name\n${"\n".repeat(9_000_000)}`), maxRows))

  expect(result).toHaveLength(maxRows + 2)
  expect(ticks).toBeLessThan(4)
})
