import { sha256 } from "../domain/text.ts"
import { unfinished, unfinishedCopy } from "./copy/copy.ts"
import { DatabaseUnusable } from "./open-store.ts"

/** SQL only: a migration that calls other code would change, or break, whenever that code changes. */
export interface Migration {
  readonly tag: string
  readonly sql: string
}

/** A row of `migrations`. */
export interface Applied {
  readonly tag: string
  readonly sha256: string
}

/** The migrations of `known` that were not applied.
 *  @throws DatabaseUnusable when another version applied these, or the database is an unfinished copy */
export function missingAmong(applied: readonly Applied[], known: readonly Migration[]): readonly Migration[] {
  for (const [index, { tag, sha256: hash }] of applied.entries()) {
    if (tag === unfinishedCopy) throw new DatabaseUnusable(unfinished)
    const migration = known[index]
    if (!migration)
      throw new DatabaseUnusable(
        `it was written by a newer version of rewards (migration ${tag}); run that version or a later one`,
      )
    if (migration.tag !== tag || sha256(migration.sql) !== hash)
      throw new DatabaseUnusable(`migration ${tag} was applied by another version; run that version`)
  }
  return known.slice(applied.length)
}

/**
 * Whether the database is an unfinished copy of the source with this fingerprint, which the copy then continues.
 * @throws DatabaseUnusable with the text `ofAnother` when it is a copy of another source, or of an earlier state of
 *   this source
 */
export function isUnfinishedCopyOf(
  fingerprint: string,
  applied: readonly Applied[],
  known: readonly Migration[],
  ofAnother: string,
): boolean {
  const mark = applied.find(({ tag }) => tag === unfinishedCopy)
  if (mark === undefined) return false
  const others = applied.filter((one) => one !== mark)
  if (mark.sha256 === fingerprint && missingAmong(others, known).length === 0) return true
  throw new DatabaseUnusable(ofAnother)
}
