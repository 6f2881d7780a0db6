import { Type } from "@sinclair/typebox"
import type { App } from "../app/app.ts"
import { dayText } from "../domain/calendar.ts"
import type { OriginRule } from "./origin.ts"
import type { Holder, Turns } from "./turns.ts"

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
  ({ calendar, clock }: Pick<App, "calendar" | "clock">) =>
  async (holder: Holder, what: string, read: () => Promise<AsyncGenerator<string, void>>): Promise<Response> =>
    sentInPieces(
      await read(),
      {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="${what}-${dayText(calendar.dayOf(clock()))}.csv"`,
      },
      holder,
    )

/**
 * A response whose pieces are read only as fast as the client takes them. The turn of the request ends with the reading: at
 * the end, on an error, or when the client disconnects.
 */
export function sentInPieces(
  pieces: AsyncGenerator<string | Uint8Array, void>,
  headers: HeadersInit,
  holder: Holder,
  status = 200,
): Response {
  const { turn } = holder
  holder.turn = null
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(typeof value === "string" ? encoder.encode(value) : value)
        } catch (error) {
          turn?.end()
          throw error
        }
        turn?.end()
        controller.close()
      },
      async cancel() {
        turn?.end()
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers })
}

/** An answer of up to so many bytes is sent at once, and its turn ends. */
export const uncountedBytes = 262_144

/** What a costly request answers, once its work is done. A large answer keeps the turn of its person until it is sent. */
export async function sentInTurn(response: Response, holder: Holder): Promise<Response> {
  holder.turn?.finish()
  if (response.body === null) return response
  const { status, headers } = response
  const bytes = await response.bytes()
  if (bytes.length <= uncountedBytes) return new Response(bytes, { status, headers })
  return sentInPieces(piecesOf(bytes), headers, holder, status)
}

interface ListRequest {
  readonly request: Request
  readonly clientAddress: string
  readonly holder: Holder
}

/** Answers with bytes that many clients may be reading. Large ones count while they are sent, by address. */
export const createListAnswer =
  (turns: Turns) =>
  async (
    bytes: Uint8Array,
    headers: Record<string, string>,
    { request, clientAddress, holder }: ListRequest,
  ): Promise<Response> => {
    if (bytes.length <= uncountedBytes) return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
    holder.turn = await turns("list", clientAddress, request.signal)
    await holder.turn.begin()
    return sentInPieces(piecesOf(bytes), headers, holder)
  }

const pieceBytes = 65_536

/** The bytes in pieces, so that a client that reads slowly holds one of them, and not a copy of all. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

/** What routes need whose answer is a file to keep. */
export interface DownloadRules {
  readonly origin: OriginRule
}
