/** One transfer as the stream tells it. */
export interface LiveEntry {
  readonly id: number
  readonly date: string
  readonly value: number
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly from: string
  readonly to: string
  readonly from_username: string
  readonly to_username: string
}
