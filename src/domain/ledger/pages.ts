export type OrderField = "user" | "from_user" | "value" | "date"

export interface PageQuery {
  /** Keep only what this user sent or received. */
  readonly participantId?: number
  /** Username of the receiver; nobody has it: an empty page. */
  readonly receiver?: string
  /** Username of the sender, likewise. */
  readonly sender?: string
  /** Absent: ascending id. Ties fall back to id in the same direction. */
  readonly order?: { readonly field: OrderField; readonly descending: boolean }
  /** From 1. */
  readonly page: number
  readonly size: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** How many there are on all pages, exact at the moment of the read. */
  readonly total: number
}
