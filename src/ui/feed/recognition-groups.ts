import type { Recognition } from "../live.ts"

/** A person in a feed entry. */
export interface Participant {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

/** One entry of the feed: a single recognition, or all recognitions of one grant. */
export interface RecognitionGroup {
  readonly key: string
  /** Null for several recognitions, and while the transfer is pending. */
  readonly single: Recognition | null
  readonly from: Participant
  readonly to: readonly Participant[]
  /** The department of a pending grant; its members are unknown until the server answers. */
  readonly dept?: string
  /** Points for each receiver. */
  readonly value: number
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly isPrivate: boolean
  /** Points taken back from each receiver. */
  readonly reversed: number
  /** The server's date; null while the transfer is pending. */
  readonly date: string | null
}

/** Groups adjacent recognitions of one grant and keeps the order. */
export function groupRecognitions(recognitions: readonly Recognition[]): RecognitionGroup[] {
  const all: RecognitionGroup[] = []
  let before: Recognition | null = null
  for (const one of recognitions) {
    const last = all.at(-1)
    if (last !== undefined && before !== null && areSameGrant(before, one))
      all[all.length - 1] = { ...last, key: String(one.id), single: null, to: [receiverOf(one), ...last.to] }
    else all.push(groupOfOne(one))
    before = one
  }
  return all
}

/** All transactions of a grant are committed together and have the same date, to the millisecond. */
const areSameGrant = (one: Recognition, other: Recognition): boolean =>
  one.date === other.date &&
  one.from_username === other.from_username &&
  one.to_username !== other.to_username &&
  one.value === other.value &&
  one.reversed === other.reversed &&
  one.reason === other.reason &&
  one.tags.join() === other.tags.join()

const groupOfOne = (one: Recognition): RecognitionGroup => ({
  key: String(one.id),
  single: one,
  from: { username: one.from_username, name: one.from_name, avatar: one.from_avatar },
  to: [receiverOf(one)],
  value: one.value,
  reason: one.reason,
  tags: one.tags,
  isPrivate: one.private,
  reversed: one.reversed,
  date: one.date,
})

const receiverOf = (one: Recognition): Participant => ({
  username: one.to_username,
  name: one.to_name,
  avatar: one.to_avatar,
})
