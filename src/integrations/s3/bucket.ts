import { createHash } from "node:crypto"
import { S3Client } from "bun"
import { OffSiteFailure } from "./failure.ts"

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

export function openBucket({ endpoint, bucket, region, accessKey, secretKey }: BucketSettings) {
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

    /** Reads an object in chunks. */
    async *read(key: string): AsyncGenerator<Uint8Array> {
      const reader = client.file(key).stream().getReader()
      try {
        for (;;) {
          const { done, value } = await attempt(reader.read())
          if (done) return
          yield value
        }
      } finally {
        await reader.cancel().catch(() => {})
      }
    },

    /** The text of a short object; null when there is none. */
    text: (key: string): Promise<string | null> =>
      attempt(client.file(key).text()).catch((error: unknown) => {
        if (error instanceof OffSiteFailure && codeIn(error.cause) === "NoSuchKey") return null
        throw error
      }),

    /** All objects whose keys begin like this, in the order of their keys. */
    async list(prefix: string): Promise<StoredObject[]> {
      const found: StoredObject[] = []
      let continuationToken: string | undefined
      do {
        const page = await attempt(
          client.list({ prefix, ...(continuationToken !== undefined && { continuationToken }) }),
        )
        for (const { key, size, lastModified } of page.contents ?? [])
          found.push({ key, bytes: size ?? 0, at: lastModified === undefined ? 0 : Date.parse(String(lastModified)) })
        continuationToken = page.isTruncated ? page.nextContinuationToken : undefined
      } while (continuationToken !== undefined)
      return found
    },

    remove: async (key: string) => void (await attempt(client.delete(key))),
  }
}

/** Counts and hashes a stream. */
export function startDigest() {
  const hash = createHash("sha256")
  let bytes = 0
  return {
    add(chunk: Uint8Array) {
      hash.update(chunk)
      bytes += chunk.byteLength
    },
    end: (): Digest => ({ bytes, sha256: hash.digest("hex") }),
  }
}

class Stalled extends Error {}

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
  ConnectionRefused: ["nothing listens there", "correct backup.s3_endpoint, or wait until the service is back"],
  DNSResolveFailed: ["the name is not known", "correct backup.s3_endpoint, or check the network of this machine"],
}

function failureOf(error: unknown, name: string): OffSiteFailure {
  if (error instanceof OffSiteFailure) return error
  const code = codeIn(error)
  const [problem, cure] =
    meanings[code] ??
    (error instanceof Stalled
      ? [
          `no answer for ${stallMs / 60_000} minutes`,
          "check the network of this machine, or wait until the service is back",
        ]
      : [`the service failed (${code === "" ? String(error) : code})`, "if it stays, ask who runs it"])
  return new OffSiteFailure(`cannot use the ${name}: ${problem}`, cure, { cause: error })
}

const codeIn = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
