import type { Answer, Sent } from "../support/client.ts"
import type { Place, Presented } from "./credentials.ts"
import type { Ends, Setup } from "./setup.ts"

/** One endpoint: how to call it for a target, and the words for its answers in the table. */
export interface Endpoint {
  /** Which of the two servers is called (see `Setup.urls`); absent: the open one. */
  readonly access?: "open" | "closed"
  /** Where the endpoint takes a token; absent: bearer. */
  readonly place?: Place
  readonly ask: (given: Call) => Promise<Answer>
  /** The word for a success; null when the answer is not a success. */
  readonly done: (answer: Answer, given: Call) => string | null
  /** The detail of the 403 for a caller with valid credentials who may not do this. */
  readonly forbidden?: string
  /** The answer without valid credentials; absent: the challenge of every protected endpoint. */
  readonly nobody?: Answer
  /** A success changes the database. */
  readonly writes?: true
  /** Which credentials a success may end. */
  readonly ends?: Ends
}

export interface Call {
  readonly setup: Setup
  readonly presented: Presented
  /** Username; empty where the path has none. */
  readonly target: string
  readonly call: <T>(method: string, path: string, sent?: Sent) => Promise<Answer<T>>
}
