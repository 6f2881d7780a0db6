import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { DomainError } from "../../src/domain/errors.ts"
import { type CsvTable, readCsv as readFile } from "../../src/formats/read-csv.ts"
import { countTicks } from "../support/ticks.ts"

const maxRows = 20_000
const maxColumns = 256
const readCsv = (bytes: Uint8Array) => readFile(bytes, { maxRows, maxColumns })
const rowsOf = async (bytes: Uint8Array) => (await readCsv(bytes)).rows
/** The longest row, and the most that is read in one tick. */
const maxRowLength = 65_536

/** Files of 9 MB that are read to the end, with the size of the table that they become. */
const files: [name: string, text: string, table: { rows: number; cells: number }][] = [
  ["many rows", `${"x".repeat(450)},b\n`.repeat(20_000), { rows: 20_000, cells: 2 }],
  ["long cells", `${"x".repeat(60_000)},b\n`.repeat(150), { rows: 150, cells: 2 }],
  ["many rows of 65,000 cells", `${",".repeat(65_000)}\n`.repeat(138), { rows: 0, cells: 0 }],
  ["many rows of 450 cells", `${",".repeat(449)}x\n`.repeat(20_000), { rows: 20_000, cells: maxColumns + 1 }],
  ["many rows of 220 words", `${"x,".repeat(220)}\n`.repeat(20_000), { rows: 20_000, cells: 220 }],
  ["many rows of 32,000 words", `${"x,".repeat(32_000)}\n`.repeat(138), { rows: 138, cells: maxColumns + 1 }],
]

test.each(files)(
  "%s: read in time slices, without the empty cells at the end, and with one cell more than allowed",
  async (_, text, table) => {
    const bytes = Buffer.from(text)
    const { result, ticks } = await countTicks(() => rowsOf(bytes))

    expect({ rows: result.length, cells: Math.max(0, ...result.map((cells) => cells.length)) }).toEqual(table)
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(bytes.length / maxRowLength))
  },
  120_000,
)

/** The whole file is decoded before its first row is read. */
const bytesDecodedAtOnce = 262_144
const ticksToDecode = (bytes: Uint8Array) => Math.ceil(bytes.length / bytesDecodedAtOnce) - 1

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
  const bytes = Buffer.from(text)
  const { result, ticks } = await countTicks(() => rowsOf(bytes).catch((thrown) => thrown))

  expect(result).toEqual(error)
  expect(ticks - ticksToDecode(bytes)).toBeLessThan(4)
})

test("from a file of 4,500,000 rows, only one row more than the limit is read", async () => {
  const bytes = Buffer.from(`name\n${"x\n".repeat(4_500_000)}`)
  const { result, ticks } = await countTicks(() => rowsOf(bytes))

  expect(result).toHaveLength(maxRows + 2)
  expect(ticks - ticksToDecode(bytes)).toBeLessThan(4)
})

test("blank rows at the end do not count, however many there are, and are read in time slices", async () => {
  const bytes = Buffer.from(`name,email\nAna,a@example.com\n${",\n".repeat(300_000)}\n`)
  const { result, ticks } = await countTicks(() => rowsOf(bytes))

  expect(result).toEqual([
    ["name", "email"],
    ["Ana", "a@example.com"],
  ])
  expect(ticks).toBeGreaterThanOrEqual(Math.floor(bytes.length / maxRowLength))
  expect(await rowsOf(Buffer.from(`name\n${"\n".repeat(maxRows + 5)}Ana\n`))).toHaveLength(maxRows + 2)
})

test("a quote inside a cell between tabs is one of its text", async () => {
  expect(await rowsOf(Buffer.from('name\tbio\nAna "Annie" Lee\t6"\n"Ben\n""B"" Lee"\tx\n'))).toEqual([
    ["name", "bio"],
    ['Ana "Annie" Lee', '6"'],
    ['Ben\n"B" Lee', "x"],
  ])
})

test("the longest rows are read", async () => {
  const [plain, quoted] = ["a".repeat(maxRowLength), "a".repeat(maxRowLength - 2)]

  expect(await rowsOf(Buffer.from(`${plain}\n"${quoted}"\r\n${plain}`))).toEqual([[plain], [quoted], [plain]])
})

test("every file is read as csv-parse reads it, or refused like there", async () => {
  const pieces = ["a", "ß", "👏", " ", ",", "\n", "\r\n", "\r", '"', '""', '","', '"a""b"', '"\n"', "\uFEFF"]
  const file = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `a,b\n${parts.join("")}`)

  await fc.assert(
    fc.asyncProperty(file, async (text) => {
      const read = await rowsOf(Buffer.from(text)).catch(() => "refused")
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
    const trimmed = rows.map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1))
    return trimmed.slice(0, trimmed.findLastIndex((cells) => cells.length > 0) + 1)
  } catch {
    return "refused"
  }
}

const german = "Name;Straße\r\nJörg Müller;€ 5 – „ja“\r\n"
const germanRows = [
  ["Name", "Straße"],
  ["Jörg Müller", "€ 5 – „ja“"],
]

/** In the order low byte, high byte. */
const utf16 = (text: string) => Buffer.from(text, "utf16le")

/** As Windows-1252 has the text above. */
const windows = Uint8Array.from(
  [...german].map((letter) => ({ "€": 0x80, "–": 0x96, "„": 0x84, "“": 0x93 })[letter] ?? letter.charCodeAt(0)),
)

const encoded: [name: string, bytes: Uint8Array, encoding: string][] = [
  ["UTF-8", Buffer.from(german), "UTF-8"],
  ["UTF-8 with its mark", Buffer.from(`\uFEFF${german}`), "UTF-8"],
  ["UTF-16 as Excel saves a text", utf16(`\uFEFF${german}`), "UTF-16"],
  ["UTF-16 the other way round", utf16(`\uFEFF${german}`).swap16(), "UTF-16"],
  ["UTF-16 without a mark", utf16(german), "UTF-16"],
  ["UTF-16 without a mark the other way round", utf16(german).swap16(), "UTF-16"],
  ["Windows-1252", windows, "Windows-1252"],
]

test.each(encoded)("%s is detected", async (_, bytes, encoding) => {
  expect(await readCsv(bytes)).toEqual({ encoding, separator: ";", rows: germanRows } as CsvTable)
})

test("letters that stand where two slices meet are whole", async () => {
  for (const before of ["", "x", "xx", "xxx"]) {
    const text = `name\n${before}${"👏\n".repeat(80_000)}`
    for (const bytes of [Buffer.from(text), utf16(`\uFEFF${text}`)])
      expect((await rowsOf(bytes)).at(-1)).toEqual(["👏"])
  }
})

const noText: [name: string, bytes: Uint8Array, rule: string][] = [
  ["a workbook", Buffer.from("PK\x03\x04\x14\0\x06\0"), "must be text, not a workbook"],
  ["an old workbook", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), "must be text, not a workbook"],
  ["UTF-8 with one damaged letter", Buffer.concat([Buffer.from("name\nJörg Müller"), Uint8Array.of(0xff)]), mustBe()],
  ["bytes of no encoding", Uint8Array.of(0x6e, 0x81, 0x8d, 0x6e), mustBe()],
  ["half a letter of UTF-16", utf16("\uFEFFname").subarray(0, 9), "has broken UTF-16"],
  ["half a surrogate in UTF-16", Uint8Array.of(0xff, 0xfe, 0x3d, 0xd8, 0x41, 0), "has broken UTF-16"],
]

function mustBe() {
  return "must be UTF-8, UTF-16 or Windows-1252"
}

test.each(noText)("%s is refused, with the cure", async (_, bytes, rule) => {
  expect(await rowsOf(bytes).catch((thrown) => thrown)).toEqual(
    new DomainError("invalid", { detail: `file: ${rule}; in a spreadsheet, save it as “CSV UTF-8”` }),
  )
})

const separated: [name: string, text: string, separator: string][] = [
  ["commas", "a,b\n1,2", ","],
  ["semicolons", "a;b\n1;2", ";"],
  ["tabs", "a\tb\n1\t2", "\t"],
  ["bars", "a|b\n1|2", "|"],
  ["semicolons, and a comma in a quoted name", '"a, b, c";b\n"1, 2";2', ";"],
  ["semicolons below a title", "Staff\n\na;b\n1;2", ";"],
  ["semicolons below a title with a comma", "Staff, March 2026\r\n\r\na;b;c\r\n1;2;3", ";"],
  ["commas above a row with a semicolon", "a,b\nSouza; Ana\n", ","],
  ["a line sep=", "sep=;\r\na;b\r\n1;2", ";"],
  ["a line sep= for what is in no list", "sep=^\na^b\n1^2", "^"],
  ["a line sep= against the looks", "sep=;\na,b;c", ";"],
  ["a line SEP= in quotes", '"SEP=,"\ra,b\r1,2', ","],
  ["a line sep= that was saved as a row", "sep=;;;\na;b\n1;2", ";"],
  ["a line sep= with a tab", "sep=\t\na\tb\n", "\t"],
  ["a line sep= with the name of a tab", "sep=\\t\na\tb\n", "\t"],
  ["a mark and a line sep=", "\uFEFFsep=|\na|b\n", "|"],
  ["none", "name\nAna", ","],
]

test.each(separated)("cells are separated by %s", async (_, text, separator) => {
  const { rows, ...found } = await readCsv(Buffer.from(text))
  expect(found.separator).toBe(separator)
  expect(rows[0]?.join("").toLowerCase()).not.toContain("sep=")
})

test("rows keep the numbers of a spreadsheet, whatever their line ends, and lose empty cells at their ends", async () => {
  expect(await rowsOf(Buffer.from("sep=,\r\nname,email,,\r\rAna,,,\n,,,\r\nBen,b@example.com\n,\n"))).toEqual([
    ["name", "email"],
    [],
    ["Ana"],
    [],
    ["Ben", "b@example.com"],
  ])
})
