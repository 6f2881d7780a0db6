import type { LedgerCheck } from "./ledger-rows.ts"

/**
 * The newest transaction at some moment, written down outside the database. A hash covers all transactions before its
 * own, so a database with this transaction and an intact hash chain has the same history up to there.
 */
export interface Anchor {
  readonly id: number
  readonly hash: Uint8Array
}

export interface Anchoring {
  /** The anchor that the history must contain; null: none. */
  readonly against: Anchor | null
  /** Called with the newest transaction, unless there is none. */
  readonly onNewest: (anchor: Anchor) => void
}

/** An anchor as text: `ID:HASH`, with 64 hexadecimal digits. */
export const anchorText = ({ id, hash }: Anchor): string => `${id}:${hash.toHex()}`

/** Null when the text is no anchor. */
export function anchorFrom(text: string): Anchor | null {
  const [, id = "", hash = ""] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  return id === "" ? null : { id: Number(id), hash: Uint8Array.fromHex(hash) }
}

/** Checks that the history up to the anchor has not changed since the anchor was written down. */
export function createAnchorCheck({ against, onNewest }: Anchoring): LedgerCheck {
  let newest: Anchor | null = null
  let isFound = false

  return {
    name: "anchor",
    see({ id, hash }) {
      newest = { id, hash }
      if (id !== against?.id) return null
      isFound = true
      return Buffer.from(hash).equals(against.hash) ? null : "another hash than the anchor's: the history was changed"
    },
    *end() {
      if (newest) onNewest(newest)
      if (against && !isFound) yield `transaction ${against.id} is missing, which the anchor names`
    },
  }
}
