import { HttpRefusal } from "./errors.ts"

export type BodyKind = "json" | "form"

const mediaTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const
const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * The body of a request, parsed; null when there is none. The Content-Type is demanded, because a foreign page can
 * post any other kind with a cookie and without asking.
 * @throws HttpRefusal 413, 415, 400
 */
export async function readBody(request: Request, kind: BodyKind, maxBytes: number): Promise<unknown> {
  const bytes = await bytesOf(request, maxBytes)
  if (bytes.length === 0) return null
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase()
  if (mediaType !== mediaTypes[kind]) throw new HttpRefusal("unsupported_media_type", { accept: mediaTypes[kind] })
  return kind === "json" ? parseJson(bytes) : parseForm(bytes)
}

async function bytesOf(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length")
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw new HttpRefusal("body_too_large", { connection: "close" })
    return request.bytes()
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > maxBytes) throw new HttpRefusal("body_too_large", { connection: "close" })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch {
    throw new HttpRefusal("malformed_json")
  }
}

/** A field given twice becomes an array, which fits no schema of text. */
function parseForm(bytes: Uint8Array): Record<string, string | string[]> {
  try {
    const text = strictUtf8.decode(bytes)
    decodeURIComponent(text) // URLSearchParams takes anything
    const fields = new URLSearchParams(text)
    return Object.fromEntries(
      [...fields.keys()].map((name) => {
        const [value = "", ...more] = fields.getAll(name)
        return [name, more.length === 0 ? value : [value, ...more]]
      }),
    )
  } catch {
    throw new HttpRefusal("malformed_form")
  }
}
