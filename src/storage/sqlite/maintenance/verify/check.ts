import type { Database } from "bun:sqlite"
import type { TransactionKind } from "../../../../domain/model.ts"
import type { FoundWatermark } from "../watermark.ts"

/** Something in the database that is damaged, missing, or contradicts the rest. */
export interface Finding {
  /** The name of the check, such as `balances`. */
  readonly check: string
  /** One sentence without full stop. */
  readonly fault: string
}

/** The database as it is, and the watermark beside it. */
export interface Subject {
  readonly client: Database
  /** Null when there is none, as beside a backup. */
  readonly watermark: FoundWatermark
}

/** One check, which may report under several names. It reads the database as of one moment, row by row. */
export type Check = (subject: Subject) => Iterable<Finding>

/** A check that sees each transaction once, in the order of ids, and compares what is stored about all of them at the end. */
export interface LedgerCheck {
  readonly name: string
  /** Returns a fault of this transaction, or null. */
  see(row: Row): string | null
  end(subject: Subject): Iterable<string>
}

/** A transaction as its row has it. */
export interface Row {
  readonly id: number
  readonly receiverId: number
  readonly senderId: number
  readonly value: number
  readonly date: number
  readonly userPrev: number
  readonly fromPrev: number
  readonly kind: TransactionKind
  readonly reverses: number | null
  readonly commitment: Uint8Array | null
  readonly hash: Uint8Array
  readonly erasedAt: number | null
  /** Its note; the four are null when it has none. */
  readonly salt: Uint8Array | null
  readonly reason: string | null
  readonly tags: string | null
  readonly isPrivate: number | null
}
