import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Figure } from "./figure.ts"
import { generate } from "./generate.ts"
import type { Options, Report } from "./part.ts"

const root = join(import.meta.dir, "..")
const generator = ["bench/generate.ts", "bench/history.ts", "bench/people.ts"]
const people = 10_000

/** Transactions in the measured databases, ascending. */
export const sizesOf = ({ quick }: Options): readonly number[] =>
  quick ? [10_000, 1_000_000] : [10_000, 1_000_000, 10_000_000]

/** Makes those that are not there yet, for the parts that measure them. */
export async function databases(options: Options): Promise<Report> {
  const figures: Figure[] = []
  for (const rows of sizesOf(options)) {
    const file = Bun.file(await database(rows, options.cache))
    figures.push({ name: `database of ${rows.toLocaleString("en")} rows`, rounds: [file.size / 2 ** 20], unit: " MiB" })
  }
  return { figures }
}

/** A closed database with so many transactions, made once for each state of the schema and kept in `cache`. */
export async function database(rows: number, cache: string): Promise<string> {
  const path = join(cache, `rows-${rows}-${await fingerprint()}.db`)
  if (existsSync(path)) return path
  await mkdir(cache, { recursive: true })
  for (const old of new Bun.Glob(`rows-${rows}-*`).scanSync(cache)) await rm(join(cache, old))
  console.error(`filling a database with ${rows.toLocaleString("en")} transactions`)
  const unfinished = join(cache, `rows-${rows}-unfinished.db`)
  await generate({ path: unfinished, rows, people })
  await rename(unfinished, path)
  return path
}

async function fingerprint(): Promise<string> {
  const migrations = [...new Bun.Glob("drizzle/*.sql").scanSync(root)].sort()
  const hasher = new Bun.CryptoHasher("sha256")
  for (const file of [...migrations, ...generator]) hasher.update(await Bun.file(join(root, file)).text())
  return hasher.digest("hex").slice(0, 12)
}
