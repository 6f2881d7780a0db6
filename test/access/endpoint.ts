import type { Duty } from "../../src/domain/people/model.ts"
import type { Answer, Sent } from "../support/client.ts"
import type { Place, Presented } from "./credentials.ts"
import type { Ends, Setup } from "./setup.ts"

/** One endpoint: how to call it for a target, and the words for its answers. */
export interface Endpoint {
  /** Which of the two servers is called (see `Setup.urls`); absent: the open one. */
  readonly access?: "open" | "closed"
  /** Where the endpoint takes a token; absent: bearer. */
  readonly place?: Place
  readonly ask: (given: Call) => Promise<Answer>
  /** The word for a success; null when the answer is not a success. */
  readonly done: (answer: Answer, given: Call) => string | null
  /** The word for what those get whom the guard admits; absent: the status of a success. */
  readonly word?: string | ((asked: Asked) => string)
  /** The answer does not wait for the guard. */
  readonly isBeforeGuard?: true
  /** Absent: `named` where the path has a username. */
  readonly targets?: readonly Target[]
  /** Pages of other sites may ask for it, although it changes something. */
  readonly admitsForeign?: true
  /** The detail of the 403; absent: that of the guard's role. */
  readonly forbidden?: string
  /** The answer without valid credentials; absent: the challenge of every protected endpoint. */
  readonly nobody?: Answer
  /** A success changes the database. */
  readonly writes?: true
  /** Which credentials a success may end. */
  readonly ends?: Ends
}

/** `self` is Ana, `other` is Carla, `super` is admin, `unknown` a name that nobody has; `signed` is a request with the signature or token of a chat. */
export type Target = "self" | "other" | "super" | "unknown" | "signed" | "unsigned" | "-"

export const named = ["self", "other", "unknown"] as const

export type Who = "ana" | "bruno" | "admin"

/** The word for a list in which superusers find more than others. */
export const moreForSuperusers = ({ who }: Asked): string => (who === "admin" ? "200+" : "200")

/** The same for a list in which people with one of these duties find more, too. */
export const moreFor =
  (...opening: readonly Duty[]) =>
  ({ who, duties }: Asked): string =>
    who === "admin" || duties.some((duty) => opening.includes(duty)) ? "200+" : "200"

export interface Asked {
  /** Whose valid credentials are presented; null: nobody's. */
  readonly who: Who | null
  readonly target: Target
  /** Those that the credential carries. */
  readonly duties: readonly Duty[]
  /** The name of the credential. */
  readonly credential: string
}

export interface Call {
  readonly setup: Setup
  readonly presented: Presented
  /** Username; empty where the path has none. */
  readonly target: string
  readonly call: <T>(method: string, path: string, sent?: Sent) => Promise<Answer<T>>
}
