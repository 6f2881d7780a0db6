import type { Note } from "../domain/ledger/model.ts"
import type { Reward } from "../domain/rewards/model.ts"

/*
 * Columns of queries that read the same on both databases, and what their rows mean, table by table. SQLite has no
 * booleans: 0 and 1 stand for them.
 */

/** An id that no user has. */
export const nobody = 0

// Rewards and redemptions

/** Columns of `rewards`, named as the fields. */
export const rewardColumns = `id, name, description, cost, picture, stock, limit_per_person AS "limitPerPerson",
  active AS "isActive"`

export interface RewardRow extends Omit<Reward, "isActive"> {
  readonly isActive: boolean | number
}

export const rewardOf = (row: RewardRow): Reward => ({ ...row, isActive: Boolean(row.isActive) })

// Notes

/** A note as a row of `notes` stores it. */
export interface NoteRow {
  readonly reason: string
  /** One space between them. */
  readonly tags: string
  /** 0 or 1 */
  readonly isPrivate: number
}

export const noteColumns = ({ reason, tags, isPrivate }: Note): NoteRow => ({
  reason,
  tags: tags.join(" "),
  isPrivate: Number(isPrivate),
})

export const noteOf = ({ reason, tags, isPrivate }: NoteRow): Note => ({
  reason,
  tags: tags === "" ? [] : tags.split(" "),
  isPrivate: isPrivate === 1,
})

// JSON

/** What a text says, which somebody may have changed by hand. Null if it is no JSON. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
