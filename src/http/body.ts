import { HttpRefusal } from "./errors.ts"

/** Of a picture the first bytes say what it is, and a method that no form has demands to be asked for. */
export type BodyKind = "json" | "form" | "csv" | "picture"

const mediaTypes = { json: "application/json", form: "application/x-www-form-urlencoded", csv: "text/csv" } as const
/** Validation takes a body apart level by level, in seconds and at last out of stack when there are thousands. */
const maxDepth = 16
const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * The body of a request, parsed; null when there is none. The Content-Type is demanded, because a foreign page can
 * post any other kind with a cookie and without asking.
 * @throws HttpRefusal 413, 415, 400
 */
export async function readBody(request: Request, kind: BodyKind, maxBytes: number): Promise<unknown> {
  const bytes = await bytesOf(request, maxBytes)
  if (kind === "picture") return bytes
  if (bytes.length === 0) return null
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase()
  if (mediaType !== mediaTypes[kind]) throw new HttpRefusal("unsupported_media_type", { accept: mediaTypes[kind] })
  return parsers[kind](bytes)
}

/** CSV is taken apart by whoever knows what is in it. */
const parsers = {
  json: parseJson,
  form: parseForm,
  csv: (bytes: Uint8Array) => bytes,
} as const satisfies Record<Exclude<BodyKind, "picture">, (bytes: Uint8Array) => unknown>

async function bytesOf(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length")
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw new HttpRefusal("body_too_large", { connection: "close" })
    return request.bytes().catch(refuseUnfinished)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > maxBytes) throw new HttpRefusal("body_too_large", { connection: "close" })
      chunks.push(chunk)
    }
  } catch (error) {
    refuseUnfinished(error)
  }
  return Buffer.concat(chunks)
}

/** Bun aborts the reading when the sender goes away, or sends chunks that are none. */
function refuseUnfinished(error: unknown): never {
  const isAbort = error instanceof DOMException && error.name === "AbortError"
  throw isAbort ? new HttpRefusal("unfinished_body") : error
}

function parseJson(bytes: Uint8Array): unknown {
  const body = parsed(bytes)
  return isDeeper(body, maxDepth) ? pruned(body) : body
}

/** What is too deep becomes an empty list: it fits no field that anybody asks for, and is ignored in all others. */
function pruned(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return []
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isDeeper(value, maxDepth) ? [] : value]))
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch {
    throw new HttpRefusal("malformed_json")
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((inside) => isDeeper(inside, levels - 1))
}

/** A field given twice becomes a list, which fits no schema of text. */
function parseForm(bytes: Uint8Array): Record<string, string | string[]> {
  try {
    const text = strictUtf8.decode(bytes)
    decodeURIComponent(text) // URLSearchParams takes anything
    const fields = new Map<string, string | string[]>()
    for (const [name, value] of new URLSearchParams(text)) fields.set(name, fields.has(name) ? [] : value)
    return Object.fromEntries(fields)
  } catch {
    throw new HttpRefusal("malformed_form")
  }
}
