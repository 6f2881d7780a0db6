import type { Recognition } from "../../live/entry.ts"

export interface Person {
  readonly name: string
  /** Of strangers' entries the name, which is all that they may have. */
  readonly username: string
  readonly avatar: string | null
}

/** What the wall shows of a recognition. */
export interface WallEntry {
  readonly id: number
  readonly date: string
  readonly value: number
  readonly from: Person
  readonly to: Person
  readonly reason: string | null
  readonly tags: readonly string[]
}

/** A frame of the contract's stream, as `?last=` and `?after=` give it. */
export interface OpenFrame {
  readonly id: number
  readonly date: string
  readonly value: number
  readonly from: string
  readonly to: string
}

/** What is private to two is not for a wall, whoever of them is logged in there. */
export const ofRecognition = (one: Recognition): WallEntry => ({
  id: one.id,
  date: one.date,
  value: one.value,
  from: { name: one.from_name, username: one.from_username, avatar: one.from_avatar },
  to: { name: one.to_name, username: one.to_username, avatar: one.to_avatar },
  reason: one.private ? null : one.reason,
  tags: one.tags,
})

/** A transfer to oneself is no recognition. Names are all that is known here, so one between namesakes is left out too. */
export const isToAnother = ({ from, to }: OpenFrame): boolean => from !== to

export const ofFrame = ({ from, to, ...rest }: OpenFrame): WallEntry => ({
  ...rest,
  from: stranger(from),
  to: stranger(to),
  reason: null,
  tags: [],
})

const stranger = (name: string): Person => ({ name, username: name, avatar: null })
