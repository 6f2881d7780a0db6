import type { Participant } from "../feed/recognition-groups.ts"
import { api } from "../server/api.ts"
import { type Answer, request } from "../server/request.ts"

/** Whoever is given to: a person, or everybody of a department but the giver. */
export type Receiver =
  | (Participant & { readonly kind: "person"; readonly dept: string })
  | { readonly kind: "department"; readonly name: string; readonly people: number }

/** What somebody has decided to give. */
export interface Transfer {
  /** In their order; one department at most. */
  readonly to: readonly Receiver[]
  /** Points that each of them gets. */
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
  readonly isPrivate: boolean
}

export const peopleOf = ({ to }: Pick<Transfer, "to">) => to.filter((one) => one.kind === "person")

export const departmentOf = ({ to }: Pick<Transfer, "to">) => to.find((one) => one.kind === "department") ?? null

/** How many get something, each counted once. */
export function receiverCount(transfer: Pick<Transfer, "to">, giver: { readonly dept: string } | null): number {
  const department = departmentOf(transfer)
  if (department === null) return transfer.to.length
  const others = peopleOf(transfer).filter(({ dept }) => dept !== department.name)
  return others.length + department.people - (giver?.dept === department.name ? 1 : 0)
}

export const receiverKey = (receiver: Receiver): string =>
  receiver.kind === "person" ? `person ${receiver.username}` : `department ${receiver.name}`

export const nameOf = (receiver: Receiver): string => receiver.name

/** After so long without an answer it is not known whether the transfer arrived. */
const sendTimeoutMs = 10_000

/** After so long without a preview the question is asked with what the app itself knows. */
const previewTimeoutMs = 3000

/** The transactions that a transfer became, in ascending order of their ids. */
interface SentTransfer {
  readonly ids: readonly number[]
}

/** Gives under `key`: however often it is sent, it is given once. Nobody or everybody gets it. */
export async function postTransfer(transfer: Transfer, key: string): Promise<Answer<SentTransfer>> {
  const sent = { headers: { "idempotency-key": key }, fetch: { signal: AbortSignal.timeout(sendTimeoutMs) } }
  const [one, another] = transfer.to
  if (one?.kind !== "person" || another !== undefined)
    return withIds(await request(api.api.v1.grants.post(grantBody(transfer), sent)), ({ ids }) => ids)
  const body = { ...commonBody(transfer), to: one.username }
  return withIds(await request(api.api.v1.transactions.post(body, sent)), ({ id }) => [id])
}

/** A success that names no transaction does not come from this server, but from something before it. */
function withIds<T>(answer: Answer<T>, idsOf: (data: T) => readonly unknown[]): Answer<SentTransfer> {
  if (answer.kind !== "done") return answer
  const told: unknown = answer.data
  const ids = typeof told === "object" && told !== null ? (idsOf(answer.data) ?? []) : []
  const isTold = ids.length > 0 && ids.every((id) => typeof id === "number")
  return isTold ? { kind: "done", data: { ids } } : { kind: "unreachable" }
}

/** What giving to several would do, as the server sees it now. */
export const previewTransfer = (transfer: Transfer) =>
  request(
    api.api.v1.grants.post(grantBody(transfer), {
      query: { dry_run: "true" },
      fetch: { signal: AbortSignal.timeout(previewTimeoutMs) },
    }),
  )

const commonBody = ({ value, reason, tags, isPrivate }: Transfer) => ({
  value,
  ...(reason !== "" && { reason }),
  ...(tags.length > 0 && { tags: [...tags] }),
  ...(isPrivate && { private: true }),
})

function grantBody(transfer: Transfer) {
  const department = departmentOf(transfer)
  return {
    ...commonBody(transfer),
    usernames: peopleOf(transfer).map(({ username }) => username),
    ...(department !== null && { dept: department.name }),
  }
}
