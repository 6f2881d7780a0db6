import { Type } from "@sinclair/typebox"
import { fresh, open, text } from "../schemas.ts"

const separator = {
  separator: Type.Optional(
    Type.Union([Type.Literal(","), Type.Literal(";")], {
      description: "a comma, the default, or a semicolon between the cells",
    }),
  ),
}

export const TableQuery = Type.Object({ ...fresh, ...separator }, open)

export const ExportQuery = Type.Object(
  {
    ...fresh,
    ...separator,
    username: Type.Optional(text("keep transactions of this user (oneself, superusers)")),
    user: Type.Optional(text("keep transactions whose receiver has this user name")),
    from_user: Type.Optional(text("keep transactions whose sender has this user name")),
  },
  open,
)

/** A file to be saved, sent as fast as it is read. Who goes away ends the reading. `onEnd` is called once nothing more is
 *  read, however that came. */
export function csvFile(name: string, pieces: AsyncGenerator<string, void>, onEnd: () => void): Response {
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
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  })
}
