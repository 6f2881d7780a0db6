import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { importColumns } from "../../../domain/people/import-columns.ts"
import { maxImportErrors, maxImportRows } from "../../../domain/people/import-rows.ts"
import type { ImportResult } from "../../../domain/people/imports.ts"
import { readCsv } from "../../../formats/csv.ts"
import type { Dependencies } from "../../dependencies.ts"
import { idempotentOperation } from "../../openapi-operations.ts"
import { actorOf, keyedRequestOf } from "../../request.ts"
import { Flag, isOn, protectedQuery } from "../../schemas.ts"

/** Creating and changing many people from one CSV file, all or nothing. */
export function importRoutes({ app: { imports }, guards }: Dependencies<"imports">) {
  return new Elysia().use(guards).post(
    "/api/v1/users/import",
    async ({ caller, body, query, clientAddress, request }) => {
      const table = body instanceof Uint8Array ? await readCsv(body, maxImportRows) : []
      const options = { dryRun: isOn(query.dry_run), invite: isOn(query.invite) }
      const keyed = options.dryRun ? null : keyedRequestOf(request, caller, body)
      return importView(await imports.run(actorOf(caller.user, clientAddress), table, options, keyed))
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
          ["not_superuser", "body_too_large", "unsupported_media_type"],
        ),
        requestBody: csvBody,
      },
    },
  )
}

const ImportQuery = protectedQuery({ dry_run: Type.Optional(Flag), invite: Type.Optional(Flag) })

/** Only for the OpenAPI document, because the route parses the file itself. */
const csvBody = {
  required: true,
  content: {
    "text/csv": {
      schema: {
        type: "string" as const,
        description: `UTF-8, comma or semicolon; the first row names the columns, some of ${importColumns.join(", ")}`,
      },
    },
  },
}

const person = Type.Object({ username: Type.String(), name: Type.String() })
const people = (description: string) => Type.Integer({ description })

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
  }),
}

const importView = ({
  created,
  updated,
  unchanged,
  deactivated,
  reactivated,
  newDepartments,
  errors,
}: ImportResult) => ({
  created,
  updated,
  unchanged,
  deactivated: deactivated.map(({ username, name }) => ({ username, name })),
  reactivated: reactivated.map(({ username, name }) => ({ username, name })),
  new_departments: [...newDepartments],
  errors: errors.map(({ row, column, code, detail }) => ({ row, column, code, detail })),
})
