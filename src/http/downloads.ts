import { Type } from "@sinclair/typebox"
import type { App } from "../app.ts"
import type { Actor } from "../domain/auth/roles.ts"
import { dayText } from "../domain/calendar.ts"
import { createCounter } from "../domain/counter.ts"
import { HttpError } from "./errors.ts"
import type { actorOf } from "./request.ts"

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

/** Answers with a CSV file, with what it holds and today's date in its name. */
export const createCsvDownload =
  ({ calendar, clock }: Pick<App, "calendar" | "clock">, exportLimit: ExportLimit) =>
  (
    actor: ReturnType<typeof actorOf>,
    what: string,
    read: (actor: Actor) => Promise<AsyncGenerator<string, void>>,
  ): Promise<Response> =>
    exportLimit.whileSent(actor.who, async (end) =>
      sentInPieces(
        await read(actor),
        {
          "content-type": "text/csv; charset=utf-8; header=present",
          "content-disposition": `attachment; filename="${what}-${dayText(calendar.dayOf(clock()))}.csv"`,
        },
        end,
      ),
    )

/**
 * A response whose pieces are read only as fast as the client takes them. `onEnd` is called when reading ends: at the end,
 * on an error, or when the client disconnects.
 */
export function sentInPieces(
  pieces: AsyncGenerator<string, void>,
  headers: Readonly<Record<string, string>>,
  onEnd: () => void,
): Response {
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
  return new Response(body, { headers: { ...headers, "cache-control": "no-store" } })
}

/** Concurrent downloads. Each reads a whole history in time slices, between other requests. */
export const maxExports = 16
/** Concurrent downloads of one person. */
export const maxExportsOfOne = 2

const retryAfter = { "retry-after": "5" }

export type ExportLimit = ReturnType<typeof createExportLimit>

/** Limits concurrent downloads, per person and in total. */
export function createExportLimit() {
  const ofPeople = createCounter()
  let running = 0

  return {
    /**
     * Counts a download until the response has been sent, which calls `end`; calling it again does nothing.
     * @throws HttpError `too_many_exports`, `overloaded`
     */
    async whileSent(username: string, respond: (end: () => void) => Promise<Response>): Promise<Response> {
      const end = begin(username)
      try {
        return await respond(end)
      } catch (error) {
        end()
        throw error
      }
    },
  }

  function begin(username: string): () => void {
    if (ofPeople.of(username) >= maxExportsOfOne) throw new HttpError("too_many_exports", retryAfter)
    if (running >= maxExports) throw new HttpError("overloaded", retryAfter)
    running += 1
    ofPeople.add(username)
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      running -= 1
      ofPeople.remove(username)
    }
  }
}
