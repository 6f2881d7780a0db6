/** The state of the server as docs/interface defines it, in a few arrays. */
export interface Model {
  readonly users: ModelUser[]
  /** Ascending by id, which is the position from 1. */
  readonly transactions: ModelTransaction[]
  /** Everything that was ever issued. */
  readonly credentials: Credential[]
  readonly resetTokens: ResetToken[]
}

export interface ModelTransaction {
  readonly kind: "transfer" | "grant" | "reversal"
  readonly receiver: string
  readonly sender: string
  readonly value: number
  /** The id of the transaction that a reversal reverses. */
  readonly reverses: number | null
}

export interface ModelUser {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly dept: string
  readonly currency: string
  avatar: string | null
  bio: string | null
  password: string
}

export type Credential = TokenPair | Session

interface TokenPair {
  readonly kind: "tokens"
  readonly username: string
  readonly access: string
  readonly refresh: string
  readonly fresh: boolean
  accessEnded: boolean
  refreshEnded: boolean
}

export interface Session {
  readonly kind: "session"
  readonly username: string
  readonly id: string
  ended: boolean
}

interface ResetToken {
  readonly username: string
  readonly token: string
  ended: boolean
}

export const isSuperuser = ({ dept }: ModelUser): boolean => dept === "management"

export const userNamed = (model: Model, username: string): ModelUser | undefined =>
  model.users.find((user) => user.username === username)

export const balanceOf = (model: Model, username: string): number =>
  model.transactions
    .filter(({ receiver, sender }) => receiver !== sender)
    .reduce((sum, { receiver, sender, value }) => {
      if (receiver === username) return sum + value
      return sender === username ? sum - value : sum
    }, 0)

/** Points of the transaction with this id that reversals took back. */
export const reversedOf = (model: Model, id: number): number =>
  model.transactions.reduce((sum, { reverses, value }) => (reverses === id ? sum + value : sum), 0)

/** Points that a user received as recognition, less reversals. */
export const receivedBy = (model: Model, username: string): number =>
  model.transactions.reduce((sum, { kind, receiver, sender, value }, index) => {
    const counts = kind === "transfer" && receiver === username && sender !== username
    return counts ? sum + value - reversedOf(model, index + 1) : sum
  }, 0)

/** Budget and earned points of a user; the budget is negative while the user owes points. Replays everything, one by one. */
export function pocketsOf(model: Model, username: string): { budget: number; earned: number } {
  let [budget, earned, earnedGiven] = [0, 0, 0]
  for (const { kind, receiver, sender, value, reverses } of model.transactions) {
    if (receiver === sender) continue
    const original = reverses === null ? null : model.transactions[reverses - 1]?.kind
    if (sender === username && original === "transfer") {
      const fromEarned = Math.min(value, earned)
      earned -= fromEarned
      budget -= value - fromEarned
      earnedGiven = Math.max(0, earnedGiven - (value - fromEarned))
    } else if (sender === username) {
      const fromBudget = Math.min(value, Math.max(0, budget))
      const fromEarned = Math.min(value - fromBudget, earned)
      earned -= fromEarned
      budget -= value - fromEarned
      if (kind !== "reversal") earnedGiven = Math.min(Number.MAX_SAFE_INTEGER, earnedGiven + fromEarned)
    } else if (receiver === username) {
      const returned = kind === "reversal" ? Math.min(value, earnedGiven) : 0
      earnedGiven -= returned
      const owed = Math.max(0, -budget)
      const toEarned = Math.max(0, Math.min(kind === "transfer" ? value : returned, value - owed))
      earned += toEarned
      budget += value - toEarned
    }
  }
  return { budget, earned }
}

/** The user of a credential; a string says why there is none. */
export function callerOf(model: Model, credential: Credential | null): ModelUser | "nobody" | "bad session" {
  if (credential?.kind === "session")
    return (credential.ended ? undefined : userNamed(model, credential.username)) ?? "bad session"
  if (!credential || credential.accessEnded) return "nobody"
  return userNamed(model, credential.username) ?? "nobody"
}

/**
 * Ends the credentials that a change of password ends. `kept`: the session in which users change their own password.
 */
export function endCredentials(model: Model, username: string, endsEverything: boolean, kept: Credential | null) {
  for (const credential of model.credentials) {
    if (credential.username !== username) continue
    if (credential.kind === "session") credential.ended ||= endsEverything || credential !== kept
    else {
      credential.refreshEnded = true
      credential.accessEnded ||= endsEverything
    }
  }
  for (const reset of model.resetTokens) if (reset.username === username) reset.ended = true
}
