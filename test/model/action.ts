import type fc from "fast-check"
import { badSession, unauthenticated } from "../support/answers.ts"
import { type Answer, type Client, createClient } from "../support/client.ts"
import { bearer, cookie } from "../support/credentials.ts"
import type { ModelServer } from "./server.ts"
import { type Credential, callerOf, type Model, type ModelUser } from "./state.ts"

/** Something that a user or the operator does. `run` throws when the server does not answer as the model says. */
export type Action = fc.AsyncCommand<Model, ModelServer>

/** `description` names the action in a counterexample. */
export const action = (description: string, run: (model: Model, server: ModelServer) => Promise<void>): Action => ({
  check: () => true,
  run,
  toString: () => description,
})

/** A refusal with 422 and any message. */
export const unprocessable = { status: 422 } as const
export type Expected = Answer | typeof unprocessable

/** Compares everything except the cookies.
 *  @throws Error when the answer is not the expected one */
export function expectAnswer(expected: Expected, { headers, ...answer }: Answer) {
  const challenge = headers?.["www-authenticate"]
  const actual = { ...answer, ...(challenge !== undefined && { headers: { "www-authenticate": challenge } }) }
  const agrees =
    expected === unprocessable ? answer.status === 422 && isDetail(answer.body) : Bun.deepEquals(actual, expected)
  if (!agrees) throw new Error(`expected ${JSON.stringify(expected)}\n     got ${JSON.stringify(actual)}`)
}

const isDetail = (body: unknown): boolean =>
  typeof body === "object" && body !== null && Object.keys(body).join() === "detail"

/** The credential at this position of the list, from 1, or from its end if negative; null for any other position. */
export const credentialAt = ({ credentials }: Model, at: number): Credential | null =>
  (at < 0 ? credentials.at(at) : credentials[at - 1]) ?? null

export function clientOf({ url }: ModelServer, credential: Credential | null): Client {
  if (credential === null) return createClient(url)
  return createClient(url, credential.kind === "session" ? cookie(credential.id) : bearer(credential.access))
}

/** The caller, or how a protected endpoint refuses the credential. */
export function authenticate(model: Model, credential: Credential | null): { caller: ModelUser } | { refusal: Answer } {
  const caller = callerOf(model, credential)
  if (caller === "bad session") return { refusal: badSession }
  return caller === "nobody" ? { refusal: unauthenticated } : { caller }
}

/** The caller of a public endpoint; null when it treats the caller as anonymous. */
export function viewerOf(model: Model, credential: Credential | null): ModelUser | null {
  const caller = callerOf(model, credential)
  return typeof caller === "string" ? null : caller
}
