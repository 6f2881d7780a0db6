/** The feed as somebody saw it last in this browser. */
export interface KeptFeed {
  readonly username: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly items: readonly KeptEntry[]
}

export interface KeptEntry {
  readonly id: number
  readonly date: string
  /** Null for an occasion. */
  readonly from: string | null
  readonly to: readonly { readonly name: string; readonly username: string }[]
  /** For each receiver; null where the programme hides it. */
  readonly value: number | null
  readonly reason: string | null
  readonly tags: readonly string[]
}
