import { createHash } from "node:crypto"
import { namesBucket } from "../../config/rules.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { createFetch } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import { UnusableFile } from "../../support/system-errors.ts"
import { type CredentialSource, createCredentials, NoKeys } from "./credentials.ts"
import { OffSiteFailure } from "./failure.ts"
import { encoded, signed } from "./signature.ts"

export interface BucketSettings {
  readonly endpoint: string | null
  readonly bucket: string
  readonly region: string
  readonly credentials: CredentialSource
  /** File of the certificate authorities to trust, in PEM form; null: the system's. */
  readonly ca: string | null
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

/** Sent in parts of this size, one after another: the least that S3 takes is 5 MiB, the most are 10,000 parts. */
const partBytes = 8 * 1024 * 1024
/** How long a part of this size, or a short answer, may take. */
const stallMs = 120_000
/** How long a whole list may take. */
const listMs = 300_000
/** How often something is sent, with a pause in between, while the service or the way to it fails. */
const attempts = 3
const pauseMs = 250
/** The most that an answer other than an object may have: a page of a list has half a megabyte. */
const answerBytes = 4_194_304
/** Of a list, each of 1,000 names. */
const pagesAtMost = 100
const namesAtMost = 1000 * pagesAtMost

interface Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE"
  /** Empty for the bucket itself. */
  readonly key: string
  readonly query?: Query
  readonly body?: string | Buffer<ArrayBuffer>
}

type Query = Readonly<Record<string, string>>

/** An upload in parts that was never finished. */
interface UnfinishedUpload {
  readonly key: string
  readonly id: string
  /** When it was begun, in milliseconds since the epoch, by the clock of the bucket. */
  readonly at: number
}

export function openBucket({ endpoint, bucket, region, credentials, ca }: BucketSettings, resolve?: Resolve) {
  const fetch = createFetch(resolve)
  const keys = createCredentials(credentials)
  const name = `bucket ${bucket}${endpoint === null ? "" : ` at ${endpoint}`}`
  const attempt = <T>(step: Promise<T>): Promise<T> =>
    inTime(step).catch((error: unknown) => {
      throw failureOf(error, name, namesBucket(endpoint, bucket))
    })
  const base = `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "")}/${encoded(bucket)}/`

  /** An answer without an error. Whoever gives it must not send what is stored elsewhere, so no redirect is followed. */
  async function send(request: Request): Promise<Response> {
    const { method, key, query = {}, body } = request
    const url = base + key.split("/").map(encoded).join("/")
    const signing = { method, url, query, region, credentials: await keys(), now: Date.now() }
    const { url: target, headers } = signed(signing)
    const plainly = { ...headers, "accept-encoding": "identity" }
    const answer = await fetch(target, {
      method,
      headers: plainly,
      decompress: false,
      ...(ca !== null && { tls: { ca: readAuthorities("backup.s3_ca", ca) } }),
      ...(body !== undefined && { body }),
    })
    if (answer.ok) return answer
    throw answered(await textOf(answer), answer.status)
  }

  /** The text of an answer, and its tag. An error may come with status 200, when it has happened late. */
  const ask = (request: Request) =>
    attempt(
      send(request).then(async (answer) => {
        const text = await textOf(answer)
        if (text.includes("<Error>")) throw answered(text, 500)
        return { text, tag: answer.headers.get("etag") ?? "" }
      }),
    )

  const askAgain = (request: Request) => again(() => ask(request))

  async function again<T>(act: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      try {
        return await act()
      } catch (error) {
        if (count === attempts || error instanceof NoKeys || (error as Error).cause instanceof Lasting) throw error
        await Bun.sleep(count * pauseMs)
      }
    }
  }

  async function putInParts(key: string, parts: AsyncGenerator<Buffer<ArrayBuffer>>, first: Buffer<ArrayBuffer>) {
    const { text } = await askAgain({ method: "POST", key, query: { uploads: "" } })
    const uploadId = textIn(text, "UploadId")
    const tags: string[] = []
    const sendPart = async (body: Buffer<ArrayBuffer>) => {
      const query = { partNumber: String(tags.length + 1), uploadId }
      tags.push((await askAgain({ method: "PUT", key, query, body })).tag)
    }
    try {
      await sendPart(first)
      for await (const part of parts) await sendPart(part)
      const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`
      await askAgain({ method: "POST", key, query: { uploadId }, body })
    } catch (error) {
      await ask({ method: "DELETE", key, query: { uploadId } }).catch(() => {}) // what is left goes after a day
      throw error
    }
  }

  return {
    name,

    /** Stores a stream under a key, completely or not at all. */
    async put(key: string, content: ReadableStream<Uint8Array>): Promise<Digest> {
      const digest = startDigest()
      const parts = partsFrom(content, digest)
      try {
        const { value: first = Buffer.alloc(0) } = await parts.next()
        if (first.byteLength < partBytes) await askAgain({ method: "PUT", key, body: first })
        else await putInParts(key, parts, first)
      } finally {
        await parts.return(undefined) // ends the stream
      }
      return digest.end()
    },

    /** Stores a short text. */
    putText: async (key: string, body: string) => void (await askAgain({ method: "PUT", key, body })),

    /** Reads an object in chunks. Fails when it is longer than `most` bytes. */
    async *read(key: string, most: number): AsyncGenerator<Uint8Array> {
      const reader = (await again(() => attempt(send({ method: "GET", key })))).body?.getReader()
      if (reader === undefined) return
      let waitedMs = 0
      try {
        for (let bytes = 0; ; ) {
          const since = performance.now()
          const { done, value } = await attempt(reader.read())
          waitedMs += performance.now() - since
          if (waitedMs > stallMs * (1 + bytes / partBytes)) throw failureOf(new Stalled(), name, false)
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
      const since = performance.now()
      let token: string | null = null
      for (let pages = 0; pages < pagesAtMost; pages += 1) {
        const query = { "list-type": "2", prefix, ...(token !== null && { "continuation-token": token }) }
        const { text: page } = await askAgain({ method: "GET", key: "", query })
        if (!page.includes("<ListBucketResult")) throw noList()
        for (const item of partsOf(page, "Contents")) {
          const key = textIn(item, "Key")
          const at = Date.parse(textIn(item, "LastModified"))
          if (key.startsWith(prefix)) found.push({ key, bytes: sizeOf(textIn(item, "Size")), at: at || 0 })
        }
        if (textIn(page, "IsTruncated") !== "true") return found
        token = textIn(page, "NextContinuationToken")
        if (tokens.has(token) || found.length > namesAtMost || performance.now() - since > listMs) break
        tokens.add(token)
      }
      throw new OffSiteFailure(
        `the ${name} lists ${prefix} without an end`,
        "use a backup.s3_prefix or a bucket of its own; if this happens again, ask who runs the service of backup.s3_endpoint",
      )
    },

    /** Uploads in parts under keys that begin like this, at most 1,000. */
    async unfinishedUploads(prefix: string): Promise<UnfinishedUpload[]> {
      const { text } = await askAgain({ method: "GET", key: "", query: { uploads: "", prefix } })
      return partsOf(text, "Upload")
        .slice(0, 1000)
        .map((item) => ({
          key: textIn(item, "Key"),
          id: textIn(item, "UploadId"),
          at: Date.parse(textIn(item, "Initiated")) || 0,
        }))
    },

    /** Ends such an upload, and frees the space of its parts. */
    abort: async ({ key, id }: UnfinishedUpload) =>
      void (await askAgain({ method: "DELETE", key, query: { uploadId: id } })),

    remove: async (key: string) => void (await askAgain({ method: "DELETE", key })),
  }

  function noList(): OffSiteFailure {
    return new OffSiteFailure(
      `cannot use the ${name}: its answer is no list`,
      "correct backup.s3_endpoint; something other than an S3 service answers there",
    )
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

/** The stream in parts, all of the same size except the last. Counts and hashes what it passes on. */
async function* partsFrom(content: ReadableStream<Uint8Array>, digest: ReturnType<typeof startDigest>) {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    digest.add(chunk)
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes < partBytes) continue
    let rest = Buffer.concat(chunks)
    for (; rest.byteLength >= partBytes; rest = rest.subarray(partBytes)) yield rest.subarray(0, partBytes)
    chunks = [rest]
    bytes = rest.byteLength
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

/** An error of the service, with its own words. */
function answered(text: string, status: number): Error {
  const code = textIn(text, "Code") || `status ${status}`
  const words = textIn(text, "Message")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, maxWords)
  return Object.assign(status < 500 ? new Lasting(code) : new Error(code), { code, words })
}

/** How many characters of the service's words are shown. */
const maxWords = 300

/** 0 for a text that is not the size of a file. */
const sizeOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

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

/** A failure that would happen again at once. */
class Lasting extends Error {}
class Stalled extends Lasting {}
class Oversized extends Lasting {}

function inTime<T>(step: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Stalled()), stallMs)
  return Promise.race([step, promise]).finally(() => clearTimeout(timer))
}

/** What an error of the service, or of the way to it, means and what to do about it, by its code. */
const meanings: Readonly<Record<string, readonly [problem: string, cure: string]>> = {
  AccessDenied: [
    "the service denies this",
    "do as it says; otherwise allow the key (backup.s3_access_key) s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject on " +
      "this bucket",
  ],
  ExpiredToken: [
    "the keys have ended",
    "set a new backup.s3_session_token with its keys, or backup.s3_credentials_command",
  ],
  InvalidToken: [
    "the service does not know the session token",
    "correct backup.s3_session_token, which belongs to the keys",
  ],
  InvalidAccessKeyId: ["the service does not know the key", "correct backup.s3_access_key"],
  SignatureDoesNotMatch: [
    "the secret does not belong to the key",
    "correct backup.s3_secret_key, backup.s3_access_key or backup.s3_region",
  ],
  AuthorizationHeaderMalformed: ["the bucket is in another region", "correct backup.s3_region"],
  PermanentRedirect: ["the bucket is in another region", "correct backup.s3_region and backup.s3_endpoint"],
  TemporaryRedirect: ["the bucket is in another region", "correct backup.s3_region and backup.s3_endpoint"],
  RequestTimeTooSkewed: ["the clock of this machine is wrong", "set it, as with `timedatectl set-ntp true`"],
  NoSuchBucket: ["there is no such bucket", "create it, or correct backup.s3_bucket"],
  NoSuchKey: ["there is no such object", "`rewards backup list` names those that there are"],
  QuotaExceeded: ["the storage is full", "make room in it, or lower backup.s3_keep"],
  ECONNREFUSED: ["nothing listens there", "correct backup.s3_endpoint, or wait until the service is back"],
  ENOTFOUND: [
    "the name is not known",
    "correct backup.s3_endpoint or backup.s3_region, or check the DNS settings of this machine",
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ["its certificate is for another name", "correct the name in backup.s3_endpoint"],
  EAI_AGAIN: [
    "the name cannot be looked up",
    "check that this machine reaches its DNS server, and the name in backup.s3_endpoint",
  ],
}

function failureOf(error: unknown, name: string, hasBucketInEndpoint: boolean): OffSiteFailure {
  if (error instanceof OffSiteFailure) return error
  if (error instanceof UnusableFile) return new OffSiteFailure(error.message, "see backup.s3_ca", { cause: error })
  const code = codeIn(error)
  const [problem, cure] =
    meanings[code] ??
    (error instanceof Oversized
      ? [`an answer has more than ${answerBytes} bytes`, "ask who runs the service of backup.s3_endpoint"]
      : error instanceof Stalled || (error instanceof Error && error.name === "TimeoutError")
        ? [
            `no answer for ${stallMs / 60_000} minutes`,
            "check the network of this machine and backup.s3_endpoint, or wait until the service is back",
          ]
        : certificateProblems.test(code)
          ? [`its certificate is not trusted (${code})`, "name the file of its authority in backup.s3_ca"]
          : [
              `the service failed (${code === "" ? String(error) : code})`,
              "wait; if it stays, ask who runs the service of backup.s3_endpoint",
            ])
  // The service knows more than its code says: a full storage, a key that is blocked, a bill that is not paid.
  const said: string = Object(error).words ?? ""
  const words = ["", code].includes(said) ? "" : `, and says: ${said}`
  return new OffSiteFailure(
    `cannot use the ${name}: ${problem}${words}`,
    hasBucketInEndpoint
      ? `leave the name of the bucket out of backup.s3_endpoint, because it is added; otherwise ${cure}`
      : cure,
    { cause: error },
  )
}

const certificateProblems = /CERT|SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY|^ERR_TLS/

const codeIn = (error: unknown): string => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
  return sameCodes[code] ?? code
}

/** `fetch` has names of its own. */
const sameCodes: Readonly<Record<string, string>> = { ConnectionRefused: "ECONNREFUSED", DNSResolveFailed: "ENOTFOUND" }
