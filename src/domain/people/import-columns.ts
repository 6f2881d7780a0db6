import { invalid } from "../errors.ts"
import { isLine, isLongerThan } from "../text.ts"
import { inTimeSlices } from "../ticks.ts"
import {
  type ImportColumn,
  isBareName,
  isIgnored,
  isLogin,
  isPassword,
  isReversedName,
  type Meaning,
  meaningOf,
  type Named,
  type Preset,
} from "./import-vocabulary.ts"

/** Columns of a file. The exports of large directories have a quarter of them. */
export const maxImportColumns = 256

/** How a file is to be read, apart from what its header says. */
export interface ColumnOptions {
  /** Leaves out the columns that nobody knows. Without it, each is a fault. */
  readonly ignoreUnknown?: boolean
  readonly preset?: Preset | undefined
  /** What headers of the file mean; null leaves a column out. */
  readonly columns?: ReadonlyMap<string, Meaning | null> | undefined
}

/** A column of a file. */
export interface ReadColumn {
  readonly header: string
  /** Null if it is left out. */
  readonly means: Meaning | null
  /** Its cells in the first rows. */
  readonly examples: readonly string[]
}

/** How many rows are examples, and what is shown of a longer cell. */
const exampleRows = 5
const maxExample = 100

interface HeaderFault {
  /** The field, or the header of a column that nobody knows. */
  readonly column: string | null
  readonly detail: string
  /** Whether nobody knows the column, which keeps nobody from reading the others. */
  readonly isUnknown?: boolean
}

export interface Header {
  /** Where it is in the table. */
  readonly index: number
  readonly columns: readonly ReadColumn[]
  /** The columns that nobody knows, once each. */
  readonly unknown: readonly string[]
  readonly faults: readonly HeaderFault[]
  /** Whether names stand as `Souza, Ana`. */
  readonly isReversed: boolean
  /** Whether one part of the name comes from a column that may also have the whole name. */
  readonly isHalf: boolean
}

/** A row below the header. */
export interface ImportRow {
  readonly row: number
  /** The given username, or the one derived from the name. */
  readonly username: string
  /** The cells that are not blank. */
  readonly cells: Partial<Readonly<Record<ImportColumn, string>>>
  /** Whether `active` is what a personnel system says, which also lists people who were never here. */
  readonly hasStatus?: boolean
}

export type Table = readonly (readonly string[])[]

/**
 * Finds out what the columns of a file mean: by what the caller says, by the names of the preset, by those that everybody
 * uses. Reads the rows below it once, in time slices.
 * @throws DomainError `invalid` for `columns` that the file does not have
 */
export async function headerOf(table: Table, options: ColumnOptions): Promise<Header> {
  const { columns: given = new Map<string, Meaning | null>(), preset, ignoreUnknown = false } = options
  const index = headerIndex(table, (cell) => given.has(cell.trim()) || meaningOf(cell, preset) !== undefined)
  const headers = (table[index] ?? []).map((cell) => cell.trim())
  for (const header of given.keys())
    if (!headers.includes(header)) throw invalid("columns", `the file has no column ${quoted(header)}`)
  const below = await readBelow(headers, table.slice(index + 1))

  const found = headers.map((header, at): Found => {
    const isFilled = below.filled.has(at)
    const said = given.get(header)
    if (said !== undefined) return { at, isFilled, named: said && { means: said, rank: asSaid } }
    const named = meaningOf(header, preset)
    if (named?.means === "username" && isLogin(header) && isFilled && !below.withoutAddress.has(at))
      return { at, isFilled, named: { means: "email", rank: asLogin } }
    return { at, isFilled, named: named ?? (isIgnored(header) || !(isFilled || header) ? null : undefined) }
  })
  const { winners, losers, faults } = withoutDoubles(found, headers)
  const isHalf = completeName(winners, headers, given)
  const means = headers.map((_, at) => winners.get(at) ?? null)
  const isNobody = !means.some((one) => identifying.includes(one))
  const nameAt = (at: number) => nameOf(at, headers[at] ?? "")
  const unknown = Map.groupBy(
    found.filter(({ at, named }) => named === undefined || losers.has(at)),
    ({ at }) => nameAt(at),
  )
  const unknownFaults = [...unknown.values()].map(([{ at } = { at: 0 }]) => unknownFault(at, headers[at] ?? ""))
  const tooMany = { column: null, detail: `at most ${maxImportColumns} columns` }
  return {
    index,
    columns: headers.map((header, at) => ({
      header,
      means: means[at] ?? null,
      examples: below.examples.map((row) => (row[at] ?? "").slice(0, maxExample)),
    })),
    unknown: [...unknown.keys()],
    faults: [
      ...(isNobody ? [{ column: null, detail: noHeader }] : []),
      ...(headers.length > maxImportColumns ? [tooMany] : []),
      ...(ignoreUnknown || isNobody ? [] : unknownFaults),
      ...faults,
    ],
    isReversed: headers.some((header, at) => means[at] === "name" && isReversedName(header)),
    isHalf,
  }
}

/** One of these says who somebody is. */
const identifying: readonly (Meaning | null)[] = ["username", "name", "first_name", "last_name"]

// In a file without a header, the first row holds somebody's data, which no message repeats.
const noHeader = "the header must name the columns, with username, name, or first and last name among them"

/** Rows above the header: a title, a version. */
const maxTitleRows = 10

/** The first row that is no title. A title has one cell, and no name of a column. */
function headerIndex(table: Table, isKnown: (cell: string) => boolean): number {
  const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== "").length
  const known = table.slice(0, maxTitleRows).findIndex((cells) => cells.some(isKnown))
  if (known !== -1 && table.slice(0, known).every((cells) => filled(cells) <= 1)) return known
  return Math.max(
    0,
    table.slice(0, maxTitleRows).findIndex((cells) => filled(cells) > 0),
  )
}

async function readBelow(headers: readonly string[], body: Table) {
  const filled = new Set<number>()
  const withoutAddress = new Set<number>()
  const examples: (readonly string[])[] = []
  for await (const row of inTimeSlices(body)) {
    let isBlank = true
    for (let at = 0; at < Math.min(row.length, headers.length); at += 1) {
      const cell = row[at] ?? ""
      if (cell.trim() === "") continue
      isBlank = false
      filled.add(at)
      if (!cell.includes("@")) withoutAddress.add(at)
    }
    if (!isBlank && examples.length < exampleRows) examples.push(row)
  }
  return { filled, withoutAddress, examples }
}

/** What is known about a column: undefined if nothing, null if that it is left out. */
interface Found {
  readonly at: number
  readonly isFilled: boolean
  readonly named: Named | null | undefined
}

/** What the caller says comes first. A log-in counts as an address only if the file has no other. */
const asSaid = -1
const asLogin = 100

/** Of several columns with one meaning, the one with the best name counts, and an empty one never. */
function withoutDoubles(found: readonly Found[], headers: readonly string[]) {
  const winners = new Map<number, Meaning>()
  const losers = new Set<number>()
  const faults: HeaderFault[] = []
  const byMeaning = Map.groupBy(
    found.filter(({ named }) => named),
    ({ named }) => named?.means,
  )
  for (const [means, columns] of byMeaning) {
    if (means === undefined) continue
    const filled = columns.some(({ isFilled }) => isFilled) ? columns.filter(({ isFilled }) => isFilled) : columns
    const rank = Math.min(...filled.map(({ named }) => named?.rank ?? asLogin))
    const [first, ...others] = filled.filter(({ named }) => named?.rank === rank)
    if (first === undefined) continue
    winners.set(first.at, means)
    for (const { at } of others)
      faults.push({
        column: means,
        detail: `columns ${place(first.at, headers[first.at])}, and ${place(at, headers[at])}: both mean ${means}; ${
          headers[at] === headers[first.at] ? "delete one of them in the file" : "leave one of them out"
        }`,
      })
    for (const { at, named } of filled) if (named?.rank !== rank) losers.add(at)
  }
  return { winners, losers, faults }
}

/**
 * Beside a column with one part of the name, a bare `name` is the other part, as in `Name; Vorname` and `Nombre; Apellidos`.
 * Says whether this is so.
 */
function completeName(
  winners: Map<number, Meaning>,
  headers: readonly string[],
  given: ReadonlyMap<string, Meaning | null>,
): boolean {
  const [name] = [...winners].find(([, means]) => means === "name") ?? []
  const parts = [...winners.values()].filter((means) => means === "first_name" || means === "last_name")
  const header = name === undefined ? "" : (headers[name] ?? "")
  if (name === undefined || parts.length !== 1 || !isBareName(header) || given.has(header)) return false
  winners.set(name, parts[0] === "first_name" ? "last_name" : "first_name")
  return true
}

function unknownFault(at: number, header: string): HeaderFault {
  const [column, where] = [nameOf(at, header), `column ${place(at, header)}`]
  if (isPassword(header)) return { column, detail: `${where}: passwords are not imported; invite new users instead` }
  return { column, detail: `${where}: not known; say what it means, or leave it out`, isUnknown: true }
}

/** A column without a header is known by its place. */
const nameOf = (at: number, header: string): string => header.slice(0, maxExample) || `column ${at + 1}`

const place = (at: number, header = ""): string => `${at + 1}, ${quoted(header)}`

const maxQuoted = 40

/** As it stands in the file, unless nobody could read it. */
export function quoted(header: string): string {
  const text = header.trim()
  const shown = isLongerThan(text, maxQuoted) ? `${[...text].slice(0, maxQuoted).join("")}…` : text
  return `"${isLine(shown) ? shown : "?"}"`
}
