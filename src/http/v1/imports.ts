import { Type } from "@sinclair/typebox"
import { type ImportResult, importColumns, maxImportErrors } from "../../domain/people/imports.ts"
import { Flag, fresh, open } from "../schemas.ts"

export const ImportQuery = Type.Object({ ...fresh, dry_run: Type.Optional(Flag), invite: Type.Optional(Flag) }, open)

/** For the API page: what is read is taken apart by the route. */
export const importBody = {
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

const people = (description: string) => Type.Integer({ description })

export const importShapes = {
  ImportResult: Type.Object({
    created: people("people who are new"),
    updated: people("people with a cell that differs"),
    unchanged: people("people with none"),
    errors: Type.Array(
      Type.Object({
        row: Type.Integer({ description: "as a spreadsheet numbers them: the names of the columns stand in row 1" }),
        column: Type.Union([Type.String(), Type.Null()]),
        detail: Type.String(),
      }),
      { description: `what is wrong, by row, at most ${maxImportErrors}; only a dry run answers it so` },
    ),
  }),
}

export const importView = ({ created, updated, unchanged, errors }: ImportResult) => ({
  created,
  updated,
  unchanged,
  errors: errors.map(({ row, column, detail }) => ({ row, column, detail })),
})
