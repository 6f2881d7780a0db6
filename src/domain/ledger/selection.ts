import type { HistoryFilter } from "../model.ts"

/** The transactions that a filter selects, in terms of user ids. */
export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "received" | "sent" | "participant"; readonly user: number }
  | { readonly kind: "pair"; readonly sender: number; readonly receiver: number }

/** Null when nothing can match: a named user does not exist, or the participant is neither of the two named users. */
export function selectionOf(
  { participantId, ...named }: HistoryFilter,
  idOf: (username: string) => number | undefined,
): Selection | null {
  let receiver = named.receiver === undefined ? undefined : idOf(named.receiver)
  let sender = named.sender === undefined ? undefined : idOf(named.sender)
  if (named.receiver !== undefined && receiver === undefined) return null
  if (named.sender !== undefined && sender === undefined) return null
  if (participantId !== undefined && participantId !== receiver && participantId !== sender) {
    if (receiver === undefined && sender === undefined) return { kind: "participant", user: participantId }
    if (receiver !== undefined && sender !== undefined) return null
    receiver ??= participantId
    sender ??= participantId
  }
  if (receiver === undefined) return sender === undefined ? { kind: "all" } : { kind: "sent", user: sender }
  return sender === undefined ? { kind: "received", user: receiver } : { kind: "pair", sender, receiver }
}
