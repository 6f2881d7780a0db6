import { Type } from "@sinclair/typebox"
import type { App } from "../app/app.ts"
import type { Actor } from "../domain/auth/roles.ts"
import { dayText } from "../domain/calendar.ts"
import { createCounter } from "../domain/counter.ts"
import { HttpError } from "./errors.ts"
import type { OriginRule } from "./origin.ts"
import type { actorOf } from "./request.ts"

/** How the OpenAPI document describes a CSV file. */
export const csv = {
  description: "A file: UTF-8 with BOM, separated by commas unless asked otherwise",
  type: "text/csv",
}

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
  ({ calendar, clock }: Pick<App, "calendar" | "clock">, exportLimit: DownloadLimit) =>
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
  pieces: AsyncGenerator<string | Uint8Array, void>,
  headers: Readonly<Record<string, string>>,
  onEnd: () => void,
): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(typeof value === "string" ? encoder.encode(value) : value)
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

const pieceBytes = 65_536

/** The bytes in pieces, so that a client that reads slowly holds one of them, and not a copy of all. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

/** Concurrent downloads. Each reads a whole history in time slices, between other requests. */
export const exportLimits = { ofOne: 2, inAll: 16 }

/**
 * Concurrent answers with the list of everybody, the largest that the public may read: of one address, and in all. A
 * list of up to `uncounted` bytes is sent at once, and counts for none.
 */
export const listLimits = { ofOne: 32, inAll: 256, uncounted: 262_144 }

const retryAfter = { "retry-after": "5" }

export type DownloadLimit = ReturnType<typeof createDownloadLimit>

/** What routes need whose answer is a file to keep. */
export interface DownloadRules {
  readonly origin: OriginRule
  readonly exportLimit: DownloadLimit
}

/** Limits concurrent downloads, in total and of one person or address. */
export function createDownloadLimit({ ofOne, inAll }: { readonly ofOne: number; readonly inAll: number }) {
  const counts = createCounter()
  let running = 0

  return {
    /**
     * Counts a download until the response has been sent, which calls `end`; calling it again does nothing.
     * @throws HttpError `too_many_exports`, `overloaded`
     */
    async whileSent(owner: string, respond: (end: () => void) => Promise<Response>): Promise<Response> {
      const end = begin(owner)
      try {
        return await respond(end)
      } catch (error) {
        end()
        throw error
      }
    },
  }

  function begin(owner: string): () => void {
    if (counts.of(owner) >= ofOne) throw new HttpError("too_many_exports", retryAfter)
    if (running >= inAll) throw new HttpError("overloaded", retryAfter)
    running += 1
    counts.add(owner)
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      running -= 1
      counts.remove(owner)
    }
  }
}
