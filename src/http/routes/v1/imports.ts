import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxImportColumns } from "../../../domain/people/import-columns.ts"
import { dateOrders } from "../../../domain/people/import-dates.ts"
import { readOptionsOf } from "../../../domain/people/import-options.ts"
import { maxImportErrors, maxImportRows } from "../../../domain/people/import-rows.ts"
import { importColumns, meanings, presets } from "../../../domain/people/import-vocabulary.ts"
import type { ImportResult } from "../../../domain/people/imports.ts"
import { type CsvTable, readCsv } from "../../../formats/read-csv.ts"
import type { Dependencies } from "../../dependencies.ts"
import { idempotentOperation } from "../../openapi-operations.ts"
import { keyedRequestOf } from "../../request.ts"
import { Flag, isOn, oneOf, protectedQuery, text } from "../../schemas.ts"

/** Creating and changing many people from one CSV file, all or nothing. */
export function importRoutes({ app: { imports }, guards }: Dependencies<"imports">) {
  return new Elysia().use(guards).post(
    "/api/v1/users/import",
    async ({ caller, body, query, actor, request }) => {
      const { ignore_unknown, preset, dates, columns } = query
      const reading = readOptionsOf({ ignoreUnknown: isOn(ignore_unknown), preset, dates, columns })
      const options = { ...reading, dryRun: isOn(query.dry_run), invite: isOn(query.invite) }
      const table = await readCsv(body instanceof Uint8Array ? body : new Uint8Array(), importLimits)
      const keyed = options.dryRun ? null : keyedRequestOf(request, caller, body)
      return importView(await imports.run(actor, table.rows, options, keyed), table)
    },
    {
      csvUpload: "admin",
      query: ImportQuery,
      detail: {
        ...idempotentOperation(
          "Users",
          "Create and change people from a CSV file, all or nothing",
          200,
          "ImportResult",
          ["body_too_large", "unsupported_media_type"],
        ),
        requestBody: csvBody,
      },
    },
  )
}

const importLimits = { maxRows: maxImportRows, maxColumns: maxImportColumns }

const ImportQuery = protectedQuery({
  dry_run: Type.Optional(Flag),
  invite: Type.Optional(Flag),
  ignore_unknown: Type.Optional(Flag),
  dates: Type.Optional(
    oneOf(dateOrders, "whether slashed dates begin with the day or the month; without it, what the file shows"),
  ),
  preset: Type.Optional(oneOf(presets, "the system whose names of columns come first")),
  columns: Type.Optional(
    text(`JSON: an object with what headers of the file mean: null (left out) or one of ${meanings.join(", ")}`),
  ),
})

/** Only for the OpenAPI document, because the route parses the file itself. */
const csvBody = {
  required: true,
  content: {
    "text/csv": {
      schema: {
        type: "string" as const,
        description: `UTF-8, UTF-16 or Windows-1252; comma, semicolon, tab or what a first line sep= names; the first row names the columns, such as ${importColumns.join(", ")}`,
      },
    },
  },
}

const person = Type.Object({ username: Type.String(), name: Type.String() })
const people = (description: string) => Type.Integer({ description })

const dryRunOnly = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Unsafe<Static<T>>({ ...schema, description: `${description}; only in a dry run` }))

export const importComponents = {
  ImportResult: Type.Object({
    created: people("people to be created"),
    updated: people("people with a changed cell"),
    unchanged: people("people without a change"),
    deactivated: Type.Array(person, { description: "people among the updated whose account it deactivates" }),
    reactivated: Type.Array(person, { description: "people among the updated whose account it reactivates" }),
    new_departments: Type.Array(Type.String(), { description: "departments that nobody was in before" }),
    errors: Type.Array(
      Type.Object({
        row: Type.Integer({ description: "numbered as in a spreadsheet: row 1 holds the column names" }),
        column: Type.Union([Type.String(), Type.Null()]),
        code: Type.Ref("ErrorCode"),
        detail: Type.String(),
      }),
      { description: `faults by row, at most ${maxImportErrors}; only in a dry run` },
    ),
    encoding: dryRunOnly(Type.String(), "what was detected: UTF-8, UTF-16 or Windows-1252"),
    separator: dryRunOnly(Type.String(), "the character between cells"),
    dates: dryRunOnly(
      Type.Union([Type.Null(), ...[...dateOrders, "unclear" as const].map((word) => Type.Literal(word))]),
      "how slashed dates were read; null without any",
    ),
    columns: dryRunOnly(
      Type.Array(
        Type.Object({
          header: Type.String(),
          means: Type.Union([Type.Null(), ...meanings.map((word) => Type.Literal(word))]),
          examples: Type.Array(Type.String()),
        }),
      ),
      "the columns of the file, what each means (null: left out), and its cells in the first five rows",
    ),
    unknown: dryRunOnly(Type.Array(Type.String()), "headers of columns that nobody knows"),
    left_out: dryRunOnly(Type.Integer(), "people who have left and were never here"),
    faults: dryRunOnly(
      Type.Array(
        Type.Object({
          column: Type.Union([Type.String(), Type.Null()]),
          code: Type.Ref("ErrorCode"),
          detail: Type.String(),
          rows: Type.Array(Type.Integer()),
          is_unknown: Type.Boolean({ description: "whether nobody knows the column" }),
        }),
      ),
      "the errors, one for each column and reason",
    ),
  }),
}

const importView = (result: ImportResult, { encoding, separator }: CsvTable) => {
  const { created, updated, unchanged, deactivated, reactivated, newDepartments, errors, reading } = result
  return {
    created,
    updated,
    unchanged,
    deactivated: deactivated.map(({ username, name }) => ({ username, name })),
    reactivated: reactivated.map(({ username, name }) => ({ username, name })),
    new_departments: [...newDepartments],
    errors: errors.map(({ row, column, code, detail }) => ({ row, column, code, detail })),
    ...(reading !== null && { encoding, separator, ...readingView(reading) }),
  }
}

const readingView = ({ dates, columns, unknown, leftOut, faults }: NonNullable<ImportResult["reading"]>) => ({
  dates,
  columns: columns.map(({ header, means, examples }) => ({ header, means, examples: [...examples] })),
  unknown: [...unknown],
  left_out: leftOut,
  faults: faults.map(({ column, code, detail, rows, isUnknown = false }) => ({
    ...{ column, code, detail, rows: [...rows] },
    is_unknown: isUnknown,
  })),
})
