import type { PageQuery } from "../../../domain/model.ts"
import type { Side } from "./blocks.ts"
import type { People } from "./people.ts"

/** Which transactions a query keeps, by the lists in which they stand: ids of users. */
export type Selection =
  | { readonly kind: "pair"; readonly sender: number; readonly receiver: number }
  | { readonly kind: "side"; readonly owner: number; readonly side: Side }
  | { readonly kind: "participant"; readonly owner: number }
  | { readonly kind: "all" }

/** Null when a named user does not exist, or the participant has no part in what is named. */
export function selectionOf(
  people: Pick<People, "idOf">,
  query: Pick<PageQuery, "participantId" | "receiver" | "sender">,
): Selection | null {
  const { participantId: participant } = query
  const receiver = query.receiver === undefined ? undefined : people.idOf(query.receiver)
  const sender = query.sender === undefined ? undefined : people.idOf(query.sender)
  if (receiver === null || sender === null) return null

  const isApart = participant !== undefined && participant !== receiver && participant !== sender
  if (receiver !== undefined && sender !== undefined) return isApart ? null : { kind: "pair", sender, receiver }
  if (receiver !== undefined)
    return isApart
      ? { kind: "pair", sender: participant, receiver }
      : { kind: "side", owner: receiver, side: "received" }
  if (sender !== undefined)
    return isApart ? { kind: "pair", sender, receiver: participant } : { kind: "side", owner: sender, side: "sent" }
  return participant === undefined ? { kind: "all" } : { kind: "participant", owner: participant }
}
