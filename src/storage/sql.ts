import {
  Column,
  type GetColumnData,
  getTableColumns,
  getTableName,
  type InferInsertModel,
  type InferSelectModel,
  is,
  type Table,
} from "drizzle-orm"

/*
 * Statements, as text that both databases read, with names and encodings of columns from Drizzle's tables. What only
 * PostgreSQL needs, casts and locks, is left out on SQLite.
 */

export type Parameter = string | number | boolean | null | Uint8Array

/** A statement or a piece of one. `Row` is the type of the rows that it returns. */
export interface SQL<Row = unknown> {
  /** The text around the values. Its identity stands for the place in the code, by which the text is compiled once. */
  readonly strings: readonly string[]
  readonly values: readonly Part[]
  /** Turns what a database returns into a row. Absent: the row is returned as it comes. */
  readonly decode?: ((row: Record<string, unknown>) => Row) | undefined
}

export type ListType = "bigint" | "text" | "bytea"

/** Rows of a call as a table `name`. */
export interface List {
  readonly name: string
  readonly columns: readonly (readonly [name: string, type: ListType])[]
  /** Whether it has a column `key` too, which ascends in the order of the rows. Then it has one column. */
  readonly isOrdered: boolean
  readonly rows: readonly (readonly ListValue[])[]
}

type ListValue = string | number | null | Uint8Array

type Part = Parameter | Column | Table | SQL | List

/**
 * A statement whose rows have the type `Row`. A column stands for `"table"."column"`, a table for its name, another
 * statement for its text, and everything else is a parameter. Casts (`::bigint`) and locks (`FOR UPDATE`) are left out
 * on SQLite. A plus sign before a column keeps SQLite from its index, and is left out on PostgreSQL, which knows which index is
 * better. A literal must not span a value.
 */
export const sql = <Row = unknown>(strings: TemplateStringsArray, ...values: readonly Part[]): SQL<Row> => ({
  strings,
  values,
})

/** Columns and expressions to select, by the names of the fields of a row. */
export type Selected = Readonly<Record<string, Column | SQL>>

export type RowOf<S extends Selected> = {
  readonly [Name in keyof S]: S[Name] extends Column
    ? GetColumnData<S[Name]>
    : S[Name] extends SQL<infer Value>
      ? Value
      : never
}

/** The columns of a table by the names of their fields, without those that are named here. */
export function columnsOf<T extends Table, Left extends keyof T["_"]["columns"] = never>(
  table: T,
  ...left: readonly Left[]
): Omit<T["_"]["columns"], Left> {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => !left.some((one) => one === field))
  return Object.fromEntries(columns) as Omit<T["_"]["columns"], Left>
}

/** The names of the columns of a table's primary key. */
export const keyOf = (table: Table): readonly string[] =>
  Object.values(getTableColumns(table)).flatMap(({ primary, name }) => (primary ? [name] : []))

/** A piece of a statement that is put together. The same text is compiled once. */
export function raw(text: string): SQL {
  const known = raws.get(text) ?? { strings: [text], values: [] }
  raws.set(text, known)
  return known
}

const raws = new Map<string, SQL>()

/** A list of columns for `select` and `returning`. Make it once, and not for each statement. */
export function fields<S extends Selected>(selected: S): SQL<RowOf<S>> {
  const names = Object.keys(selected)
  const strings = ["", ...names.map((name, index) => ` AS "${name}"${index < names.length - 1 ? ", " : ""}`)]
  return { strings, values: Object.values(selected), decode: decoderOf<RowOf<S>>(selected) }
}

function decoderOf<Row>(selected: Selected): SQL<Row>["decode"] {
  const encoded = Object.entries(selected).flatMap(([name, column]) =>
    is(column, Column) && isEncoded(column) ? [{ name, column }] : [],
  )
  if (encoded.length === 0) return undefined
  return (row) => {
    // PostgreSQL's client has parsed jsonb already.
    for (const { name, column } of encoded)
      if (row[name] !== null && typeof row[name] !== "object") row[name] = column.mapFromDriverValue(row[name])
    return row as Row // the database keeps the types of its columns
  }
}

/** Bytes come as bytes. */
const isEncoded = (column: Column): boolean =>
  column.mapFromDriverValue !== Column.prototype.mapFromDriverValue && column.getSQLType() !== "blob"

/** `SELECT columns` and what follows, such as ``select(columns)`FROM ${users}` ``. */
export const select =
  <Row>(columns: SQL<Row>) =>
  (strings: TemplateStringsArray, ...values: readonly Part[]): SQL<Row> => ({
    strings: selecting,
    values: [columns, { strings, values }],
    decode: columns.decode,
  })

/** A statement that returns columns of the rows that it changed. */
export const returning =
  <Row>(columns: SQL<Row>) =>
  (strings: TemplateStringsArray, ...values: readonly Part[]): SQL<Row> => ({
    strings: returned,
    values: [{ strings, values }, columns],
    decode: columns.decode,
  })

const selecting = ["SELECT ", " ", ""]
const returned = ["", " RETURNING ", ""]

/**
 * Values as a table `name`, with the columns `value` and `key`: `${list("asked", ids, "bigint")}`. CROSS JOIN behind it keeps
 * SQLite from reading the other table first.
 */
export const list = (name: string, items: readonly (string | number)[], type: ListType): List => ({
  name,
  columns: [["value", type]],
  isOrdered: true,
  rows: items.map((item) => [item]),
})

/** Objects as a table `name`, with these of their fields as columns. */
export const records = <Field extends string>(
  name: string,
  items: readonly Readonly<Record<NoInfer<Field>, ListValue>>[],
  columns: Readonly<Record<Field, ListType>>,
): List => {
  const fields = Object.keys(columns) as Field[]
  return {
    name,
    columns: fields.map((field) => [field, columns[field]]),
    isOrdered: false,
    rows: items.map((item) => fields.map((field) => item[field])),
  }
}

/** The columns as a list, under the names that the database gives them. */
export const namesOf = (columns: Readonly<Record<string, Column>>): SQL =>
  raw(
    Object.values(columns)
      .map(({ name }) => `"${name}"`)
      .join(", "),
  )

/** The types of columns, for `records` that hold their values. */
export const typesOf = <Field extends string>(columns: Readonly<Record<Field, Column>>) =>
  Object.fromEntries(Object.entries<Column>(columns).map(([field, column]) => [field, listTypeOf(column)])) as Record<
    Field,
    ListType
  >

/** `column = name."field", …`, for an UPDATE by `records` of this name. */
export const setFrom = (name: string, columns: Readonly<Record<string, Column>>): SQL =>
  raw(
    Object.entries(columns)
      .map(([field, column]) => `"${column.name}" = ${name}."${field}"`)
      .join(", "),
  )

/** `WHERE … AND …`, of the conditions that are given; nothing without any. */
export function where(...conditions: readonly (SQL | undefined)[]): SQL {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql`` : sql`WHERE ${and(...given)}`
}

/** Conditions with AND between them. There is one at least. */
export function and(...conditions: readonly SQL[]): SQL {
  const strings = ands[conditions.length] ?? ["", ...conditions.slice(1).map(() => " AND "), ""]
  ands[conditions.length] = strings
  return { strings, values: conditions }
}

const ands: (readonly string[])[] = []

/** `("column", …) VALUES (…)`, of the fields that are given, for a statement that begins with INSERT INTO the table. */
export function row<T extends Table>(table: T, values: Inserted<T>): SQL {
  const given = encoded(table, values)
  const strings = textOf(table, "row", given, () => {
    const columns = given.map(({ column }) => `"${column.name}"`).join(", ")
    return [`(${columns}) VALUES (`, ...given.slice(1).map(() => ", "), ")"]
  })
  return { strings, values: given.map(({ value }) => value) }
}

type Inserted<T extends Table> = { [Name in keyof InferInsertModel<T>]: InferInsertModel<T>[Name] | SQL }

/**
 * `("column", …) SELECT …`, of several objects with the same fields, for a statement that begins with INSERT INTO the table.
 * They are stored in their order.
 */
export function rows<T extends Table>(table: T, items: readonly InferInsertModel<T>[]): SQL {
  const stored = items.map((item) => encoded(table, item))
  const [first = []] = stored
  const strings = textOf(table, "rows", first, () => {
    const names = first.map(({ column }) => `"${column.name}"`).join(", ")
    return [`(${names}) SELECT ${names} FROM `, " ORDER BY place"]
  })
  const added: List = {
    name: "added",
    columns: [...first.map(({ column }) => [column.name, listTypeOf(column)] as const), ["place", "bigint"]],
    isOrdered: false,
    rows: stored.map((given, place) => [...given.map(({ value }) => value as ListValue), place]),
  }
  return { strings, values: [added] }
}

/** `"column" = …, …`, of the fields that are given, for an UPDATE of the table. */
export function set<T extends Table>(table: T, changes: { [Name in keyof InferSelectModel<T>]?: unknown }): SQL {
  const given = encoded(table, changes)
  const strings = textOf(table, "set", given, () => [
    ...given.map(({ column }, index) => `${index === 0 ? "" : ", "}"${column.name}" = `),
    "",
  ])
  return { strings, values: given.map(({ value }) => value) }
}

const listTypes: Record<string, ListType> = { integer: "bigint", blob: "bytea" }

const listTypeOf = (column: Column): ListType => listTypes[column.getSQLType()] ?? "text"

interface Given {
  readonly column: Column
  readonly value: Part
}

function encoded(table: Table, values: Readonly<Record<string, unknown>>): Given[] {
  const columns = getTableColumns(table)
  return Object.entries(values).flatMap(([field, value]) => {
    const column = columns[field]
    if (value === undefined || column === undefined) return []
    const isStored = value === null || isSql(value)
    return [{ column, value: (isStored ? value : column.mapToDriverValue(value)) as Part }]
  })
}

/** The text for these columns, the same array each time, so that a statement with it is compiled once. */
function textOf(table: Table, kind: string, given: readonly Given[], text: () => readonly string[]) {
  const texts = textsOfTables.get(table) ?? new Map<string, readonly string[]>()
  textsOfTables.set(table, texts)
  const key = `${kind} ${given.map(({ column }) => column.name).join(" ")}`
  const known = texts.get(key) ?? text()
  texts.set(key, known)
  return known
}

const textsOfTables = new Map<Table, Map<string, readonly string[]>>()

/** A row of this statement, as a database has returned it. */
export const decoded = <Row>({ decode }: SQL<Row>, row: Record<string, unknown>): Row =>
  decode === undefined ? (row as Row) : decode(row)

/** How a database writes what differs. */
export interface Dialect {
  placeholder(index: number): string
  /** A piece of a statement's text, as this database reads it. */
  text(piece: string): string
  /** A list as a table. `placeholder` writes the next of its parameters, of which there are as many as `listed` returns. */
  list(list: Omit<List, "rows">, placeholder: () => string): string
  listed(list: List): readonly Bound[]
}

/** What is passed to a database for a placeholder. An array is all values of a column, for PostgreSQL. */
export type Bound = Exclude<Parameter, boolean> | readonly ListValue[]

/** A statement's text for one database. */
export interface Compiled {
  readonly text: string
}

/** A statement with the parameters of one call. */
interface Prepared {
  readonly compiled: Compiled
  readonly parameters: Bound[]
}

/** What the parts of a statement so far lead to. Two statements with the same parts share their text. */
interface Place {
  compiled: Compiled | undefined
  afterParameter: Place | undefined
  after: Map<unknown, Place> | undefined
}

const newPlace = (): Place => ({ compiled: undefined, afterParameter: undefined, after: undefined })

/** Compiles statements for a database, each once for its place in the code. */
export function createCompiler(dialect: Dialect): (query: SQL) => Prepared {
  const start = newPlace()

  return (query) => {
    const parameters: Bound[] = []
    const place = walk(query, start, parameters, dialect)
    place.compiled ??= { text: written(query, dialect) }
    return { compiled: place.compiled, parameters }
  }
}

function walk({ strings, values }: SQL, from: Place, parameters: Bound[], dialect: Dialect): Place {
  let place = next(from, strings)
  for (const value of values) {
    if (isParameter(value)) {
      parameters.push(typeof value === "boolean" ? Number(value) : value)
      place.afterParameter ??= newPlace()
      place = place.afterParameter
    } else if (isList(value)) {
      parameters.push(...dialect.listed(value))
      place = next(place, `${value.name} ${value.columns.join(" ")}`)
    } else place = isSql(value) ? walk(value, place, parameters, dialect) : next(place, value)
  }
  return place
}

function next(place: Place, key: unknown): Place {
  place.after ??= new Map()
  const known = place.after.get(key)
  if (known !== undefined) return known
  const created = newPlace()
  place.after.set(key, created)
  return created
}

function written(query: SQL, dialect: Dialect): string {
  let count = 0
  const placeholder = () => {
    count += 1
    return dialect.placeholder(count)
  }
  const write = ({ strings, values }: SQL): string =>
    strings.map((piece, index) => dialect.text(piece) + (index < values.length ? part(values[index]) : "")).join("")
  const part = (value: Part | undefined): string => {
    if (value === undefined || isParameter(value)) return placeholder()
    if (isList(value)) return dialect.list(value, placeholder)
    if (isSql(value)) return write(value)
    return is(value, Column) ? `"${getTableName(value.table)}"."${value.name}"` : `"${getTableName(value)}"`
  }
  return write(query)
}

const isParameter = (value: Part): value is Parameter =>
  typeof value !== "object" || value === null || value instanceof Uint8Array

const isSql = (value: unknown): value is SQL => typeof value === "object" && value !== null && "strings" in value

const isList = (value: Column | Table | SQL | List): value is List => "rows" in value
