import type { Participant } from "../feed/recognition.tsx"
import { type Answer, api, request } from "../server/api.ts"

/** A receiver: a person, or all members of a department except the sender. */
export type Receiver =
  | (Participant & { readonly kind: "person"; readonly dept: string })
  | { readonly kind: "department"; readonly name: string; readonly people: number }

/** The most people whom one can thank at once. */
export const maxThanked = 50

/** A transfer that the user wants to make, to one or many receivers. */
export interface Transfer {
  /** In the order of selection. At most one department; in a confirmed transfer only of a grant. */
  readonly to: readonly Receiver[]
  /** Points for each receiver. */
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
  readonly isPrivate: boolean
  /** Points to pass on, not recognition. */
  readonly isGrant: boolean
}

export const peopleOf = ({ to }: Pick<Transfer, "to">) => to.filter((one) => one.kind === "person")

export const departmentOf = ({ to }: Pick<Transfer, "to">) => to.find((one) => one.kind === "department") ?? null

/** Whether it may go to more than one person. */
export const isToMany = ({ to: [first, another] }: Pick<Transfer, "to">): boolean =>
  another !== undefined || first?.kind === "department"

/** The number of receivers, without duplicates. */
export function receiverCount(transfer: Pick<Transfer, "to">, sender: { readonly dept: string } | null): number {
  const department = departmentOf(transfer)
  if (department === null) return transfer.to.length
  const others = peopleOf(transfer).filter(({ dept }) => dept !== department.name)
  return others.length + department.people - (sender?.dept === department.name ? 1 : 0)
}

export const receiverKey = (receiver: Receiver): string =>
  receiver.kind === "person" ? `person ${receiver.username}` : `department ${receiver.name}`

/** After this time without a response, the outcome is unknown. */
const sendTimeoutMs = 10_000

/** After this time without a preview, the confirmation shows the app's own figures. */
const previewTimeoutMs = 3000

interface SentTransfer {
  /** Ids of its entries in the feed; of a grant, which has none, those of the transactions. */
  readonly ids: readonly number[]
}

/**
 * Sends a transfer with an idempotency key: repeated attempts make it once. All receivers get the points, or none. The request
 * outlives the page.
 */
export async function postTransfer(transfer: Transfer, key: string): Promise<Answer<SentTransfer>> {
  const sent = {
    headers: { "idempotency-key": key },
    fetch: { signal: AbortSignal.timeout(sendTimeoutMs), keepalive: true },
  }
  if (transfer.isGrant)
    return withIds(await request(api.api.v1.grants.post(grantBody(transfer), sent)), ({ ids }) => ids)
  const [first = "", ...others] = peopleOf(transfer).map(({ username }) => username)
  const body = { ...commonBody(transfer), to: others.length === 0 ? first : [first, ...others] }
  return withIds(await request(api.api.v1.transactions.post(body, sent)), (sent) => [
    "id" in sent ? sent.id : sent.group,
  ])
}

/** A success without transaction ids comes from a proxy, not from this server. */
function withIds<T>(answer: Answer<T>, idsOf: (data: T) => readonly unknown[]): Answer<SentTransfer> {
  if (answer.kind !== "done") return answer
  const data: unknown = answer.data
  const ids = typeof data === "object" && data !== null ? (idsOf(answer.data) ?? []) : []
  const isTold = ids.length > 0 && ids.every((id) => typeof id === "number")
  return isTold ? { kind: "done", data: { ids } } : { kind: "unreachable" }
}

/** Asks the server who would get how much, and whether the balance suffices, without sending anything. */
export const previewTransfer = (transfer: Transfer) =>
  request(
    api.api.v1.grants.post(grantBody(transfer), {
      query: { dry_run: "true" },
      fetch: { signal: AbortSignal.timeout(previewTimeoutMs) },
    }),
  )

export type PreviewAnswer = Extract<Awaited<ReturnType<typeof previewTransfer>>, { kind: "done" }>["data"]

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
