import { createReadStream, createWriteStream } from "node:fs"
import { Readable } from "node:stream"
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

/** Writes the backup in `content` to a file. @throws OffSiteFailure when it cannot be opened */
export async function unpack(
  content: AsyncIterable<Uint8Array>,
  { file, passphrase }: { readonly file: string; readonly passphrase: string | null },
): Promise<void> {
  const stream = passphrase === null ? content : await decrypted(content, passphrase)
  try {
    await pipeline(Readable.from(stream), createZstdDecompress(), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    if (error instanceof OffSiteFailure || !isOfArchive(error)) throw error
    throw new OffSiteFailure("the backup is damaged and was not restored", "restore an earlier one", { cause: error })
  }
}

async function decrypted(content: AsyncIterable<Uint8Array>, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const { Decrypter } = await import("age-encryption")
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    return await decrypter.decrypt(webStreamOf(Readable.from(content)))
  } catch (error) {
    if (error instanceof OffSiteFailure) throw error
    throw new OffSiteFailure("backup.passphrase does not open this backup", "set the one that it was made with", {
      cause: error,
    })
  }
}

/** zlib's errors have codes of their own; those of a full disk and the like name their cure elsewhere. */
const isOfArchive = (error: unknown): boolean => !(error instanceof Error && "syscall" in error)

// Node's and the web's types of the same streams differ in names alone.
const webStreamOf = (stream: Readable | NodeJS.ReadWriteStream): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream as Readable) as unknown as ReadableStream<Uint8Array>
