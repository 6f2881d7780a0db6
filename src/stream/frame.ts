/** One transaction as those who watch in one format are sent it; serialised once for all of them. */
export interface Frame {
  readonly id: number
  /** What everybody is sent; null: nothing. */
  readonly text: string | null
  /** What sender and receiver are sent instead; null: the same as everybody. */
  readonly toParties: { readonly userIds: readonly number[]; readonly text: string } | null
  /** Of the longer text. */
  readonly bytes: number
}

/** The formats of a stream, by name. */
export type Formats<Entry> = ReadonlyMap<string, (entry: Entry) => Frame>

export const frameOf = (id: number, text: string | null, toParties: Frame["toParties"] = null): Frame => ({
  id,
  text,
  toParties,
  bytes: toParties === null ? bytesOf(text) : Math.max(bytesOf(text), bytesOf(toParties.text)),
})

const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/** What this user is sent, null being a stranger; null: nothing. */
export const textFor = ({ text, toParties }: Frame, userId: number | null): string | null =>
  userId !== null && toParties?.userIds.includes(userId) ? toParties.text : text
