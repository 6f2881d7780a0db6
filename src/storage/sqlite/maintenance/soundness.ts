import type { Database } from "bun:sqlite"
import { DatabaseUnusable } from "../database/errors.ts"
import { verifyContent } from "./verify.ts"

/**
 * Reads all of a database that is not larger than this: a bit that flipped on the disk makes a number wrong or a list
 * shorter, and nobody notices it where only that number is read.
 * @throws DatabaseUnusable when it is damaged, or contradicts itself
 */
export function refuseDamaged(client: Database, upToMb: number) {
  if (!isVerifiedAtStart(client, upToMb)) return
  for (const fault of faultsOf(client)) throw new DatabaseUnusable(`it is damaged (${fault}); ${waysOn}`)
}

export const isVerifiedAtStart = (client: Database, upToMb: number): boolean => bytesOf(client) <= upToMb * 1_000_000

/** Each on one line. */
export function* faultsOf(client: Database): Generator<string> {
  for (const { check, fault } of verifyContent(client)) yield `${check}: ${fault.replaceAll(/\s+/g, " ")}`
}

/** Of the database, without its WAL. */
export const bytesOf = (client: Database): number =>
  client
    .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get()?.bytes ?? 0

const waysOn =
  "put a backup in its place with `rewards restore FILE`, or look with `rewards verify`; with db.verify_mb = 0 it is served " +
  "as it is"
