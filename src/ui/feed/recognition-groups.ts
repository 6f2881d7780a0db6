import type { Recognition } from "../live.ts"

/** Somebody as an entry shows them. */
export interface Participant {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

/** An entry as it is drawn: one recognition, or all of those that were given in one act. */
export interface RecognitionGroup {
  readonly key: string
  readonly from: Participant
  readonly to: readonly Participant[]
  /** A whole department on the way, until the server has said who is in it. */
  readonly dept?: string
  /** Points that each of them gets. */
  readonly value: number
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly isPrivate: boolean
  /** As the server writes it; null while it is on its way. */
  readonly date: string | null
}

/** Entries in their order; those that one act gave to several become one. */
export function groupRecognitions(recognitions: readonly Recognition[]): RecognitionGroup[] {
  const all: RecognitionGroup[] = []
  let before: Recognition | null = null
  for (const one of recognitions) {
    const last = all.at(-1)
    if (last !== undefined && before !== null && areSameGrant(before, one))
      all[all.length - 1] = { ...last, key: String(one.id), to: [receiverOf(one), ...last.to] }
    else all.push(groupOfOne(one))
    before = one
  }
  return all
}

/** One commit gives all of its entries the same date, to the thousandth of a second. */
const areSameGrant = (one: Recognition, other: Recognition): boolean =>
  one.date === other.date &&
  one.from_username === other.from_username &&
  one.to_username !== other.to_username &&
  one.value === other.value &&
  one.reason === other.reason &&
  one.tags.join() === other.tags.join()

const groupOfOne = (one: Recognition): RecognitionGroup => ({
  key: String(one.id),
  from: { username: one.from_username, name: one.from_name, avatar: one.from_avatar },
  to: [receiverOf(one)],
  value: one.value,
  reason: one.reason,
  tags: one.tags,
  isPrivate: one.private,
  date: one.date,
})

const receiverOf = (one: Recognition): Participant => ({
  username: one.to_username,
  name: one.to_name,
  avatar: one.to_avatar,
})
