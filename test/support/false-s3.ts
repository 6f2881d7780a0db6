import { createHash } from "node:crypto"
import { offSiteSettingsAt } from "./off-site.ts"

interface Held {
  readonly content: Uint8Array<ArrayBuffer>
  readonly storedAt: number
}

/**
 * A bucket in whose objects, times and answers a test may put anything: what somebody can do who has taken the storage over.
 */
export function startFalseS3() {
  const objects = new Map<string, Held>()
  /** Uploads in parts that were never finished, by key. */
  const uploads = new Map<string, number>()
  const requests: string[] = []
  let lies: (request: Request) => Response | undefined = () => undefined
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url)
      const key = decodeURIComponent(pathname.replace(/^\/backups\/?/, ""))
      requests.push(`${request.method} ${key}${search}`)
      const lie = lies(request)
      if (lie !== undefined) return lie
      const prefix = searchParams.get("prefix") ?? ""
      if (request.method === "PUT") {
        objects.set(key, { content: new Uint8Array(await request.arrayBuffer()), storedAt: Date.now() })
        return new Response(null, { headers: { etag: '"1"' } })
      }
      if (request.method === "DELETE") {
        if (searchParams.has("uploadId")) uploads.delete(key)
        else objects.delete(key)
        return new Response(null, { status: 204 })
      }
      if (searchParams.has("uploads")) return xml(uploadsOf([...uploads].filter(([name]) => name.startsWith(prefix))))
      if (key === "") return xml(listOf([...objects].filter(([name]) => name.startsWith(prefix)).sort()))
      const held = objects.get(key)
      return held === undefined
        ? new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 })
        : new Response(held.content)
    },
  })
  const endpoint = `http://127.0.0.1:${server.port}`

  return {
    endpoint,
    objects,
    uploads,
    requests,
    settings: offSiteSettingsAt(endpoint),
    /** Stores an object with its checksum beside it. */
    holds(key: string, bytes: Uint8Array, storedAt = Date.now()) {
      const content = new Uint8Array(bytes)
      const sum = createHash("sha256").update(content).digest("hex")
      objects.set(key, { content, storedAt })
      objects.set(`${key}.sha256`, { content: Buffer.from(`${sum}  ${key}\n`), storedAt })
    },
    /** From now on, these answers come instead of true ones. */
    answers(next: typeof lies) {
      lies = next
    },
    /** The keys of what is there, without checksums. */
    keys: () => [...objects.keys()].filter((key) => !key.endsWith(".sha256")).sort(),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const xml = (text: string) => new Response(text, { headers: { "content-type": "application/xml" } })

const listOf = (found: readonly [string, Held][]): string =>
  `<ListBucketResult><IsTruncated>false</IsTruncated>${found
    .map(
      ([key, { content, storedAt }]) =>
        `<Contents><Key>${key.replaceAll("&", "&amp;")}</Key><Size>${content.byteLength}</Size><LastModified>${new Date(storedAt).toISOString()}</LastModified></Contents>`,
    )
    .join("")}</ListBucketResult>`

const uploadsOf = (found: readonly [string, number][]): string =>
  `<ListMultipartUploadsResult>${found
    .map(
      ([key, at]) =>
        `<Upload><Key>${key}</Key><UploadId>id of ${key}</UploadId><Initiated>${new Date(at).toISOString()}</Initiated></Upload>`,
    )
    .join("")}</ListMultipartUploadsResult>`
