import { Type } from "@sinclair/typebox"

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

/** The download of a file that is read only as fast as the client takes it. `onEnd` is called when reading ends: at the end of
 *  the file, on an error, or when the client disconnects. */
export function csvFile(what: string, now: number, pieces: AsyncGenerator<string, void>, onEnd: () => void): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(encoder.encode(value))
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
        controller.close()
      },
      async cancel() {
        onEnd()
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${what}-${new Date(now).toISOString().slice(0, 10)}.csv"`,
      "cache-control": "no-store",
    },
  })
}
