import { createHash } from "node:crypto"
import { S3Client } from "bun"
import { createFetch } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import { OffSiteFailure } from "./failure.ts"
import { encoded, signed } from "./signature.ts"

export interface BucketSettings {
  readonly endpoint: string | null
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

interface StoredObject {
  readonly key: string
  readonly bytes: number
  /** When it was stored, in milliseconds since the epoch, by the clock of the bucket. */
  readonly at: number
}

export interface Digest {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** A bucket of an S3 service. Each method throws `OffSiteFailure`. */
export type Bucket = ReturnType<typeof openBucket>

/** Sent in parts of this size, of which at most two are on their way: the least that S3 takes is 5 MiB. */
const partBytes = 8 * 1024 * 1024
const partsAtOnce = 2
/** How long one step of a transfer may take. A slow line moves a part in less. */
const stallMs = 120_000
/** The most that an answer other than an object may have: a page of a list has half a megabyte. */
const answerBytes = 4_194_304
/** Of a list, each of 1,000 names. */
const pagesAtMost = 100

type Query = Readonly<Record<string, string>>

/** An upload in parts that was never finished. */
interface UnfinishedUpload {
  readonly key: string
  readonly id: string
  /** When it was begun, in milliseconds since the epoch, by the clock of the bucket. */
  readonly at: number
}

export function openBucket({ endpoint, bucket, region, accessKey, secretKey }: BucketSettings, resolve?: Resolve) {
  const fetch = createFetch(resolve)
  const client = new S3Client({
    ...(endpoint !== null && { endpoint }),
    bucket,
    region,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
  })
  const name = `bucket ${bucket}${endpoint === null ? "" : ` at ${endpoint}`}`
  const attempt = <T>(step: Promise<T>): Promise<T> =>
    inTime(step).catch((error: unknown) => {
      throw failureOf(error, name)
    })
  const base = `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "")}/${encoded(bucket)}/`

  /** An answer without an error. */
  async function send(method: "GET" | "DELETE", key: string, query: Query = {}): Promise<Response> {
    const url = base + key.split("/").map(encoded).join("/")
    const { url: target, headers } = signed({ method, url, query, region, accessKey, secretKey, now: Date.now() })
    const plainly = { ...headers, "accept-encoding": "identity" }
    const answer = await fetch(target, { method, headers: plainly, decompress: false })
    if (answer.ok) return answer
    const code = textIn(await textOf(answer), "Code") || `status ${answer.status}`
    throw Object.assign(new Error(code), { code })
  }

  const ask = (method: "GET" | "DELETE", key: string, query?: Query): Promise<string> =>
    attempt(send(method, key, query).then(textOf))

  return {
    name,

    /** Stores a stream under a key, completely or not at all. */
    async put(key: string, content: ReadableStream<Uint8Array>): Promise<Digest> {
      const writer = client.file(key).writer({ partSize: partBytes, queueSize: partsAtOnce, retry: 3 })
      const digest = startDigest()
      try {
        for await (const chunk of content) {
          digest.add(chunk)
          writer.write(chunk)
          await attempt(Promise.resolve(writer.flush()))
        }
      } catch (error) {
        await Promise.resolve(writer.end(error instanceof Error ? error : new Error(String(error)))).catch(() => {})
        throw error
      }
      await attempt(Promise.resolve(writer.end()))
      return digest.end()
    },

    /** Stores a short text. */
    putText: async (key: string, text: string) => void (await attempt(client.write(key, text, { retry: 3 }))),

    /** Reads an object in chunks. Fails when it is longer than `most` bytes. */
    async *read(key: string, most: number): AsyncGenerator<Uint8Array> {
      const reader = (await attempt(send("GET", key))).body?.getReader()
      if (reader === undefined) return
      try {
        for (let bytes = 0; ; ) {
          const { done, value } = await attempt(reader.read())
          if (done) return
          bytes += value.byteLength
          if (bytes > most) throw tooLong(key, most)
          yield value
        }
      } finally {
        await reader.cancel().catch(() => {})
      }
    },

    /** All objects whose keys begin like this, in the order of their keys. */
    async list(prefix: string): Promise<StoredObject[]> {
      const found: StoredObject[] = []
      const tokens = new Set([""])
      let token: string | null = null
      for (let pages = 0; pages < pagesAtMost; pages += 1) {
        const query = { "list-type": "2", prefix, ...(token !== null && { "continuation-token": token }) }
        const page = await ask("GET", "", query)
        for (const item of partsOf(page, "Contents")) {
          const key = textIn(item, "Key")
          const at = Date.parse(textIn(item, "LastModified"))
          if (key.startsWith(prefix)) found.push({ key, bytes: Number(textIn(item, "Size")) || 0, at: at || 0 })
        }
        if (textIn(page, "IsTruncated") !== "true") return found
        token = textIn(page, "NextContinuationToken")
        if (tokens.has(token)) break
        tokens.add(token)
      }
      throw new OffSiteFailure(
        `the ${name} lists ${prefix} without an end`,
        "use a backup.s3_prefix or a bucket of its own; if this happens again, ask who runs the storage",
      )
    },

    /** Uploads in parts under keys that begin like this, at most 1,000. */
    async unfinishedUploads(prefix: string): Promise<UnfinishedUpload[]> {
      const page = await ask("GET", "", { uploads: "", prefix })
      return partsOf(page, "Upload").map((item) => ({
        key: textIn(item, "Key"),
        id: textIn(item, "UploadId"),
        at: Date.parse(textIn(item, "Initiated")) || 0,
      }))
    },

    /** Ends such an upload, and frees the space of its parts. */
    abort: async ({ key, id }: UnfinishedUpload) => void (await ask("DELETE", key, { uploadId: id })),

    remove: async (key: string) => void (await ask("DELETE", key)),
  }

  function tooLong(key: string, most: number): OffSiteFailure {
    return new OffSiteFailure(
      `${key} in the ${name} is longer than the ${most} bytes that it should have`,
      "restore an earlier backup with `rewards restore s3:NAME`",
    )
  }
}

/** The text of an answer of bounded length. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > answerBytes) throw new Oversized()
  }
  return text
}

/** What stands between the tags of each such element. Linear in any text. */
const partsOf = (xml: string, tag: string): string[] =>
  xml
    .split(`<${tag}>`)
    .slice(1)
    .map((part) => part.split(`</${tag}>`, 1)[0] ?? "")

/** The text of the first such element; empty when there is none. */
const textIn = (xml: string, tag: string): string =>
  (partsOf(xml, tag)[0] ?? "").replace(/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, (entity, name: string) => {
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return named[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : entity)
  })

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** Counts and hashes a stream. */
export function startDigest() {
  const hash = createHash("sha256")
  let bytes = 0
  return {
    /** Returns how many bytes it has by now. */
    add(chunk: Uint8Array): number {
      hash.update(chunk)
      bytes += chunk.byteLength
      return bytes
    },
    end: (): Digest => ({ bytes, sha256: hash.digest("hex") }),
  }
}

class Stalled extends Error {}
class Oversized extends Error {}

function inTime<T>(step: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Stalled()), stallMs)
  return Promise.race([step, promise]).finally(() => clearTimeout(timer))
}

/** What an error of the service, or of the way to it, means and what to do about it, by its code. */
const meanings: Readonly<Record<string, readonly [problem: string, cure: string]>> = {
  AccessDenied: [
    "the key may not do this",
    "allow it s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject on this bucket",
  ],
  InvalidAccessKeyId: ["the service does not know the key", "correct backup.s3_access_key"],
  SignatureDoesNotMatch: [
    "the secret does not belong to the key",
    "correct backup.s3_secret_key, backup.s3_access_key or backup.s3_region",
  ],
  AuthorizationHeaderMalformed: ["the bucket is in another region", "correct backup.s3_region"],
  PermanentRedirect: ["the bucket is in another region", "correct backup.s3_region and backup.s3_endpoint"],
  RequestTimeTooSkewed: ["the clock of this machine is wrong", "set it, as with `timedatectl set-ntp true`"],
  NoSuchBucket: ["there is no such bucket", "create it, or correct backup.s3_bucket"],
  NoSuchKey: ["there is no such object", "`rewards backup list` names those that there are"],
  QuotaExceeded: ["the storage is full", "make room in it, or lower backup.s3_keep"],
  ECONNREFUSED: ["nothing listens there", "correct backup.s3_endpoint, or wait until the service is back"],
  ENOTFOUND: ["the name is not known", "correct backup.s3_endpoint, or check the network of this machine"],
  EAI_AGAIN: ["the name cannot be looked up", "check that this machine reaches its DNS server"],
}

function failureOf(error: unknown, name: string): OffSiteFailure {
  if (error instanceof OffSiteFailure) return error
  const code = codeIn(error)
  const [problem, cure] =
    meanings[code] ??
    (error instanceof Oversized
      ? [`an answer has more than ${answerBytes} bytes`, "ask who runs the storage"]
      : error instanceof Stalled || (error instanceof Error && error.name === "TimeoutError")
        ? [
            `no answer for ${stallMs / 60_000} minutes`,
            "check the network of this machine, or wait until the service is back",
          ]
        : [`the service failed (${code === "" ? String(error) : code})`, "if it stays, ask who runs it"])
  return new OffSiteFailure(`cannot use the ${name}: ${problem}`, cure, { cause: error })
}

const codeIn = (error: unknown): string => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
  return sameCodes[code] ?? code
}

/** Bun's client has names of its own. */
const sameCodes: Readonly<Record<string, string>> = { ConnectionRefused: "ECONNREFUSED", DNSResolveFailed: "ENOTFOUND" }
