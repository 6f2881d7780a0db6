import { chmod, mkdir, readFile, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type ZippableFile, zipSync } from "fflate"
import { create } from "tar"

/** A file in an archive or a package. */
export interface Packed {
  /** Its path inside, with slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable?: boolean
}

interface Archive {
  /** The folder that contains all files. */
  readonly folder: string
  readonly files: readonly Packed[]
  /** The time of every file, so that the same files give the same bytes. */
  readonly date: Date
  /** 0 stores the files as they are. */
  readonly level: 0 | 6
}

/** Writes the files to disk, each with its mode and the time. */
export async function lay(root: string, files: readonly Packed[], date: Date) {
  for (const { path, bytes, executable = false } of files) {
    const target = join(root, path)
    await mkdir(dirname(target), { recursive: true })
    await Bun.write(target, bytes)
    await chmod(target, executable ? 0o755 : 0o644)
    await utimes(target, date, date)
  }
}

/** A .tar.gz of owner 0, in the order of the paths. `work` is a folder to lay the files out in. */
export async function writeTar(file: string, work: string, { folder, files, date, level }: Archive) {
  await lay(join(work, folder), files, date)
  const paths = files.map(({ path }) => `${folder}/${path}`).sort()
  await create({ file, cwd: work, portable: true, noPax: true, mtime: date, gzip: { level } }, paths)
}

/** A .zip that unpacks with the same modes. */
export async function writeZip(file: string, { folder, files, date, level }: Archive) {
  // The format has no time zone, and the library uses that of this machine.
  const mtime = new Date(date.getTime() + date.getTimezoneOffset() * 60_000)
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const entries: [string, ZippableFile][] = sorted.map(({ path, bytes, executable = false }) => [
    `${folder}/${path}`,
    [bytes, { mtime, level, os: 3, attrs: (executable ? 0o100755 : 0o100644) * 0x10000 }],
  ])
  await Bun.write(file, zipSync(Object.fromEntries(entries)))
}

/** Every file in a folder of the repository, under the same path. */
export async function packed(root: string, pattern: string): Promise<Packed[]> {
  const paths = [...new Bun.Glob(pattern).scanSync(root)].sort()
  if (paths.length === 0) throw new Error(`${pattern} names no file`)
  return Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(join(root, path)) })))
}
