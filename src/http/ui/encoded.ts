import { gunzipSync } from "node:zlib"

/** What is sent, in the encodings that browsers take. */
export interface Encoded {
  readonly type: string
  /** Weak: whatever the encoding, the content is the same. */
  readonly etag: string
  readonly br: Blob
  readonly gzip: Blob
}

/** Answers with the smallest form that the browser takes, or 304 when it has the content already. */
export async function respond(request: Request, content: Encoded, headers: Record<string, string>): Promise<Response> {
  const tagged = { ...headers, etag: content.etag }
  if (!hasAlready(request, content.etag)) return respondWith(200, request, content, tagged)
  return new Response(null, { status: 304, headers: { ...tagged, vary: "accept-encoding" } })
}

/** The same with another status, whatever the browser has. */
export async function respondWith(
  status: number,
  request: Request,
  content: Encoded,
  headers: Record<string, string>,
): Promise<Response> {
  const encoding = encodingFor(request)
  const body = encoding === null ? gunzipSync(await content.gzip.arrayBuffer()) : content[encoding]
  return new Response(body, {
    status,
    headers: {
      ...headers,
      vary: "accept-encoding",
      "content-type": content.type,
      ...(encoding && { "content-encoding": encoding }),
    },
  })
}

function hasAlready({ headers }: Request, etag: string): boolean {
  const known = headers.get("if-none-match")?.split(",") ?? []
  const strip = (tag: string) => tag.trim().replace(/^W\//, "")
  return known.some((tag) => tag.trim() === "*" || strip(tag) === strip(etag))
}

function encodingFor({ headers }: Request): "br" | "gzip" | null {
  const taken = (headers.get("accept-encoding") ?? "").split(",").map((part) => part.trim().split(/\s*;\s*q=/))
  const takes = (name: string) => taken.some(([coding, weight]) => coding === name && Number(weight ?? 1) > 0)
  if (takes("br")) return "br"
  return takes("gzip") ? "gzip" : null
}
