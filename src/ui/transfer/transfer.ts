import type { Party } from "../feed/recognition-groups.ts"
import { api } from "../server/api.ts"
import { type Answer, ask } from "../server/request.ts"

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

/** After so long without an answer it is not known whether the gift arrived. */
const patienceMs = 10_000

/** After so long without a preview the question is asked with what the app itself knows. */
const previewPatienceMs = 3000

/** The transactions that a gift became, in ascending order of their ids. */
interface Given {
  readonly ids: readonly number[]
}

/** Gives under `key`: however often it is sent, it is given once. Nobody or everybody gets it. */
export async function send(gift: Gift, key: string): Promise<Answer<Given>> {
  const sent = { headers: { "idempotency-key": key }, fetch: { signal: AbortSignal.timeout(patienceMs) } }
  const [one, another] = gift.to
  if (one?.kind !== "person" || another !== undefined)
    return given(await ask(api.api.v1.grants.post(manyOf(gift), sent)), ({ ids }) => ids)
  const body = { ...whatOf(gift), to: one.username }
  return given(await ask(api.api.v1.transactions.post(body, sent)), ({ id }) => [id])
}

/** A success that names no transaction does not come from this server, but from something before it. */
function given<T>(answer: Answer<T>, idsOf: (data: T) => readonly unknown[]): Answer<Given> {
  if (answer.kind !== "done") return answer
  const told: unknown = answer.data
  const ids = typeof told === "object" && told !== null ? (idsOf(answer.data) ?? []) : []
  const isTold = ids.length > 0 && ids.every((id) => typeof id === "number")
  return isTold ? { kind: "done", data: { ids } } : { kind: "unreachable" }
}

/** What giving to several would do, as the server sees it now. */
export const preview = (gift: Gift) =>
  ask(
    api.api.v1.grants.post(manyOf(gift), {
      query: { dry_run: "true" },
      fetch: { signal: AbortSignal.timeout(previewPatienceMs) },
    }),
  )

const whatOf = ({ value, reason, tags, isPrivate }: Gift) => ({
  value,
  ...(reason !== "" && { reason }),
  ...(tags.length > 0 && { tags: [...tags] }),
  ...(isPrivate && { private: true }),
})

function manyOf(gift: Gift) {
  const department = departmentOf(gift)
  return {
    ...whatOf(gift),
    usernames: personsOf(gift).map(({ username }) => username),
    ...(department !== null && { dept: department.name }),
  }
}
