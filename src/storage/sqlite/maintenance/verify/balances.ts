import type { Database } from "bun:sqlite"
import type { Fold } from "./ledger.ts"

interface Sums {
  value: number
  received: number
  sent: number
}

interface KeptBalance {
  readonly userId: number
  readonly username: string
  /** The three are null where the user has no row of balances. */
  readonly value: number | null
  readonly received: number | null
  readonly sent: number | null
}

/** Each balance is what its user received minus what the user sent, its counters are right, and all add up to zero. */
export function createBalances(): Fold {
  const sums = new Map<number, Sums>()

  return {
    check: "balances",
    see({ senderId, receiverId, value }) {
      const [sender, receiver] = [sumsOf(senderId), sumsOf(receiverId)]
      if (sender !== receiver) {
        sender.value -= value
        receiver.value += value
      }
      sender.sent += 1
      receiver.received += 1
      return null
    },
    *end({ client }) {
      for (const { userId, username, value, received, sent } of keptIn(client)) {
        const summed = sums.get(userId) ?? { value: 0, received: 0, sent: 0 }
        if ((value ?? 0) !== summed.value) yield `${username} is kept at ${value ?? 0} instead of ${summed.value}`
        if ((received ?? 0) !== summed.received)
          yield `the count of what ${username} received is ${received ?? 0} instead of ${summed.received}`
        if ((sent ?? 0) !== summed.sent)
          yield `the count of what ${username} sent is ${sent ?? 0} instead of ${summed.sent}`
      }
      const sum = client
        .query<{ sum: string | null }, []>("SELECT CAST(sum(value) AS TEXT) AS sum FROM balances")
        .get()?.sum
      if (sum && sum !== "0") yield `all balances add up to ${sum} instead of 0`
    },
  }

  function sumsOf(userId: number): Sums {
    const known = sums.get(userId)
    if (known) return known
    const empty = { value: 0, received: 0, sent: 0 }
    sums.set(userId, empty)
    return empty
  }
}

const keptIn = (client: Database): Iterable<KeptBalance> =>
  client
    .query<KeptBalance, []>(
      `SELECT users.id AS userId, username, value, received_count AS received, sent_count AS sent
       FROM users LEFT JOIN balances ON user_id = users.id ORDER BY users.id`,
    )
    .iterate()
