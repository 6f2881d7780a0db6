import type { Database } from "bun:sqlite"
import type { Anchoring } from "../../../verify/anchor.ts"
import type { Damage, OnProgress } from "../../../verify/damage.ts"
import type { LedgerRow } from "../../../verify/ledger.ts"
import type { FoundWatermark } from "../watermark.ts"

/** What a check reads: the database as it is, and the watermark beside it. */
export interface Subject {
  readonly client: Database
  /** Null when there is none, as beside a backup. */
  readonly watermark: FoundWatermark
  readonly onProgress?: OnProgress | undefined
  readonly anchoring?: Anchoring | undefined
}

/** A check, which may report under several names. It reads one snapshot of the database, row by row. */
export type Check = (subject: Subject) => Iterable<Damage>

/** A row of `transactions`, with the links of the history index. */
export interface Row extends LedgerRow {
  readonly userPrev: number
  readonly fromPrev: number
}
