import { createReadStream, createWriteStream } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib"
import { OffSiteFailure } from "./failure.ts"

/**
 * A backup as it is stored off-site: compressed with zstd, then, with a passphrase, encrypted in the format of age
 * (age-encryption.org/v1, recipient `scrypt`), so that `age -d FILE | zstd -d` opens it without this program.
 */
export async function pack(file: string, passphrase: string | null): Promise<ReadableStream<Uint8Array>> {
  const compressed = createReadStream(file).pipe(
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 3 } }),
  )
  const stream = webStreamOf(compressed)
  if (passphrase === null) return stream
  const { Encrypter } = await import("age-encryption")
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return encrypter.encrypt(stream)
}

/** How many times larger than its archive a database may be, beyond the first megabytes: a real one is 3 to 10 times. */
const largestRatio = 100
const firstBytes = 16_777_216
/** The memory that an archive may ask for: `pack` asks for 2 MiB. */
const windowLog = 24
/** The beginning of an encrypted archive: https://age-encryption.org/v1. Each step of the work factor doubles memory and time. */
const header = /^age-encryption\.org\/v1\n-> scrypt \S{22} (\d{1,2})\n\S{43}\n--- \S{43}\n/
const headerBytes = 256
/** 256 MiB; what `pack` writes. */
const largestWorkFactor = 18

/**
 * Writes the backup in `content` to a file. Whoever wrote it may want to fill the disk or the memory.
 * @throws OffSiteFailure when it cannot be opened
 */
export async function unpack(
  content: AsyncIterable<Uint8Array>,
  { file, passphrase }: { readonly file: string; readonly passphrase: string | null },
): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  let packed = 0
  let bytes = 0
  async function* counted() {
    for await (const chunk of content) {
      packed += chunk.byteLength
      if (packed > firstBytes + 2 * bytes) throw damaged() // nothing but frames that say nothing
      yield chunk
    }
  }
  const stream = passphrase === null ? counted() : await decrypted(counted(), passphrase)
  const bounded = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength
      if (bytes > firstBytes + largestRatio * packed) done(damaged())
      else if (2 * bytes > bavail * bsize)
        done(tooLarge()) // the restore makes a second copy
      else done(null, chunk)
    },
  })
  const unzip = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLog } })
  try {
    await pipeline(Readable.from(stream), unzip, bounded, createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    if (error instanceof OffSiteFailure || !isOfArchive(error)) throw error
    throw damaged({ cause: error })
  }
}

const damaged = (options?: ErrorOptions) =>
  new OffSiteFailure("the backup is damaged and was not restored", "restore an earlier one", options)

const tooLarge = () => new OffSiteFailure("there is no room for the backup", "free space on the disk of the database")

async function decrypted(content: AsyncIterable<Uint8Array>, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const { Decrypter } = await import("age-encryption")
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const [beginning, whole] = await begun(content)
  const [, workFactor] = header.exec(beginning) ?? []
  if (workFactor === undefined || Number(workFactor) > largestWorkFactor)
    throw new OffSiteFailure(
      "the backup is not encrypted as rewards does it, and was not restored",
      "restore an earlier one",
    )
  try {
    return await decrypter.decrypt(webStreamOf(Readable.from(whole)))
  } catch (error) {
    if (error instanceof OffSiteFailure) throw error
    throw new OffSiteFailure("backup.passphrase does not open this backup", "set the one that it was made with", {
      cause: error,
    })
  }
}

/** The first bytes as text, and the whole again. */
async function begun(content: AsyncIterable<Uint8Array>) {
  const chunks = content[Symbol.asyncIterator]()
  let beginning = Buffer.alloc(0)
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    beginning = Buffer.concat([beginning, next.value])
    if (beginning.length >= headerBytes) break
  }
  async function* whole() {
    yield beginning
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return [beginning.toString("latin1", 0, headerBytes), whole()] as const
}

/** zlib's errors have codes of their own; those of a full disk and the like name their cure elsewhere. */
const isOfArchive = (error: unknown): boolean => !(error instanceof Error && "syscall" in error)

// Node's and the web's types of the same streams differ in names alone.
const webStreamOf = (stream: Readable | NodeJS.ReadWriteStream): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream as Readable) as unknown as ReadableStream<Uint8Array>
