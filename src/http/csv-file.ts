import { Type } from "@sinclair/typebox"
import { dayText } from "../domain/calendar.ts"
import { sentInPieces } from "./sent-in-pieces.ts"

/** How the OpenAPI document describes a CSV file. */
export const csv = { description: "A file: UTF-8 with BOM, commas", type: "text/csv" }

/** The query parameter `separator` of CSV files. */
export const separator = {
  separator: Type.Optional(
    Type.Union([Type.Literal(","), Type.Literal(";")], {
      description: "a comma, the default, or a semicolon between the cells",
    }),
  ),
}

/** The download of a file with the day in its name. `onEnd` is called when it was sent or aborted. */
export const csvFile = (what: string, day: number, pieces: AsyncGenerator<string, void>, onEnd: () => void): Response =>
  sentInPieces(
    pieces,
    {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${what}-${dayText(day)}.csv"`,
    },
    onEnd,
  )
