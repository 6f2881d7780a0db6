import type { Receive } from "./concurrency-limit.ts"
import { HttpError } from "./errors.ts"

/**
 * A picture needs no Content-Type: its first bytes tell its format, and no HTML form can send PUT. A raw body needs none
 * either, because its signature is checked.
 */
export type BodyKind = keyof typeof mediaTypes | "picture" | "raw"

const mediaTypes = {
  json: ["application/json"],
  form: ["application/x-www-form-urlencoded"],
  csv: ["text/csv"],
  scim: ["application/scim+json", "application/json"],
} as const satisfies Record<string, readonly string[]>
/** Validation recurses through a body: thousands of levels would take seconds and then overflow the stack. */
const maxDepth = 16
const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** A request, and how to wait for its body. */
export interface Incoming {
  readonly request: Request
  readonly receive: Receive
}

/**
 * The body of a request, parsed; null when it is empty. Requires the Content-Type, because a page of another site can send
 * a form or plain text with the user's cookie and without a CORS preflight.
 * @throws HttpError 413, 415, 400
 */
export async function readBody({ request, receive }: Incoming, kind: BodyKind, maxBytes: number): Promise<unknown> {
  const bytes = await bytesOf(request, receive, maxBytes)
  if (kind === "picture" || kind === "raw") return bytes
  if (bytes.length === 0) return null
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase()
  const accepted: readonly string[] = mediaTypes[kind]
  if (mediaType === undefined || !accepted.includes(mediaType))
    throw new HttpError("unsupported_media_type", { accept: accepted.join(", ") })
  return parsers[kind](bytes)
}

/** CSV stays bytes, because the import parses it. */
const parsers = {
  json: parseJson,
  scim: parseJson,
  form: parseForm,
  csv: (bytes: Uint8Array) => bytes,
} as const satisfies Record<Exclude<BodyKind, "picture" | "raw">, (bytes: Uint8Array) => unknown>

async function bytesOf(request: Request, receive: Receive, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length")
  if (declared === null) return receive(inChunks(request, maxBytes))
  if (Number(declared) > maxBytes) throw new HttpError("body_too_large")
  return receive(request.bytes().catch(rethrowAbort))
}

async function inChunks(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // What is beyond the limit stays to be read: `readRest` does.
    for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
      length += chunk.length
      if (length > maxBytes) throw new HttpError("body_too_large")
      chunks.push(chunk)
    }
  } catch (error) {
    rethrowAbort(error)
  }
  return Buffer.concat(chunks)
}

/** Turns the error of Bun for a client that disconnects or sends invalid chunks into an HttpError. */
function rethrowAbort(error: unknown): never {
  const isAbort = error instanceof DOMException && error.name === "AbortError"
  throw isAbort ? new HttpError("unfinished_body") : error
}

function parseJson(bytes: Uint8Array): unknown {
  const body = parsed(bytes)
  return isDeeper(body, maxDepth) ? pruned(body) : body
}

/** Replaces fields that are nested too deeply by an empty list, which no schema here accepts. Unknown fields are ignored
 *  anyway. */
function pruned(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return []
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isDeeper(value, maxDepth) ? [] : value]))
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch {
    throw new HttpError("malformed_json")
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((inside) => isDeeper(inside, levels - 1))
}

/** A repeated field becomes an empty list, which no text schema accepts. */
function parseForm(bytes: Uint8Array): Record<string, string | string[]> {
  try {
    const text = strictUtf8.decode(bytes)
    decodeURIComponent(text) // throws on malformed escapes, which URLSearchParams accepts
    const fields = new Map<string, string | string[]>()
    for (const [name, value] of new URLSearchParams(text)) fields.set(name, fields.has(name) ? [] : value)
    return Object.fromEntries(fields)
  } catch {
    throw new HttpError("malformed_form")
  }
}
