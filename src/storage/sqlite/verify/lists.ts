import type { Database } from "bun:sqlite"
import { appendTo } from "../accounts.ts"
import { append, type Place, type Tree } from "../forest.ts"
import type { Fold } from "./ledger.ts"

type List = Parameters<typeof appendTo>[0]

interface Ends {
  readonly received: List
  readonly sent: List
  toOneself: number
}

interface KeptEnds {
  readonly userId: number
  readonly username: string
  /** The three are null where the user has no row of balances. */
  readonly lastReceived: number | null
  readonly lastSent: number | null
  readonly toOneself: number | null
}

/** Each transaction stands where it belongs in the lists of forest.ts, and each list is known by its newest end. */
export function createLists(): Fold {
  const ends = new Map<number, Ends>()
  const all: Tree[] = []

  return {
    check: "lists",
    see(row) {
      const { id, senderId, receiverId, value } = row
      if (senderId === receiverId) endsOf(senderId).toOneself += 1
      const to = appendTo(endsOf(receiverId).received, id, value)
      const from = appendTo(endsOf(senderId).sent, id, value)
      const { min, max } = append(all, id, value)
      const isInPlace =
        isAt(to, row.userPrev, row.userJump, row.userMin, row.userMax) &&
        isAt(from, row.fromPrev, row.fromJump, row.fromMin, row.fromMax) &&
        row.allMin === min &&
        row.allMax === max
      return isInPlace ? null : "its place in the lists is wrong"
    },
    *end({ client }) {
      for (const { userId, username, lastReceived, lastSent, toOneself } of keptIn(client)) {
        const { received, sent, toOneself: counted } = ends.get(userId) ?? emptyEnds()
        if ((lastReceived ?? 0) !== received.last)
          yield `what ${username} received last is kept as ${lastReceived ?? 0} instead of ${received.last}`
        if ((lastSent ?? 0) !== sent.last)
          yield `what ${username} sent last is kept as ${lastSent ?? 0} instead of ${sent.last}`
        if ((toOneself ?? 0) !== counted)
          yield `the count of what ${username} sent to the own account is ${toOneself ?? 0} instead of ${counted}`
      }
    },
  }

  function endsOf(userId: number): Ends {
    const known = ends.get(userId)
    if (known) return known
    const empty = emptyEnds()
    ends.set(userId, empty)
    return empty
  }
}

const emptyEnds = (): Ends => ({
  received: { count: 0, last: 0, trees: [] },
  sent: { count: 0, last: 0, trees: [] },
  toOneself: 0,
})

const isAt = (place: Place, prev: number, jump: number, min: number, max: number): boolean =>
  place.prev === prev && place.jump === jump && place.min === min && place.max === max

const keptIn = (client: Database): Iterable<KeptEnds> =>
  client
    .query<KeptEnds, []>(
      `SELECT users.id AS userId, username, last_received AS lastReceived, last_sent AS lastSent, self_count AS toOneself
       FROM users LEFT JOIN balances ON user_id = users.id ORDER BY users.id`,
    )
    .iterate()
