/** What the contract says that the service knows, in a few arrays. */
export interface Model {
  readonly users: ModelUser[]
  /** Ascending; the id is the place, from 1. */
  readonly transactions: { readonly receiver: string; readonly sender: string; readonly value: number }[]
  /** All that were ever handed out. */
  readonly credentials: Credential[]
  readonly resetTokens: ResetToken[]
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

/** Whom a credential stands for; a string says why nobody. */
export function callerOf(model: Model, credential: Credential | null): ModelUser | "nobody" | "bad session" {
  if (credential?.kind === "session")
    return (credential.ended ? undefined : userNamed(model, credential.username)) ?? "bad session"
  if (!credential || credential.accessEnded) return "nobody"
  return userNamed(model, credential.username) ?? "nobody"
}

/** What a password change ends; `kept` is the session that changed its own user's. */
export function endWhatAChangeEnds(model: Model, username: string, endsEverything: boolean, kept: Credential | null) {
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
