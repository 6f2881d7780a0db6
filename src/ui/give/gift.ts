import type { Party } from "../feed/thanks.ts"

/** Whoever is given to: a person, or everybody of a department but the giver. */
export type Receiver =
  | (Party & { readonly kind: "person"; readonly dept: string })
  | { readonly kind: "department"; readonly name: string; readonly people: number }

/** What somebody has decided to give. */
export interface Gift {
  /** In their order; one department at most. */
  readonly to: readonly Receiver[]
  /** Points that each of them gets. */
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
  readonly isPrivate: boolean
}

export const personsOf = ({ to }: Pick<Gift, "to">) => to.filter((one) => one.kind === "person")

export const departmentOf = ({ to }: Pick<Gift, "to">) => to.find((one) => one.kind === "department") ?? null

/** How many get something, each counted once. */
export function countOf(gift: Pick<Gift, "to">, giver: { readonly dept: string } | null): number {
  const department = departmentOf(gift)
  if (department === null) return gift.to.length
  const others = personsOf(gift).filter(({ dept }) => dept !== department.name)
  return others.length + department.people - (giver?.dept === department.name ? 1 : 0)
}

export const keyOf = (receiver: Receiver): string =>
  receiver.kind === "person" ? `person ${receiver.username}` : `department ${receiver.name}`

export const nameOf = (receiver: Receiver): string => receiver.name
