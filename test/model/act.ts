import type fc from "fast-check"
import { badSession, unauthenticated } from "../support/answers.ts"
import { type Answer, type Client, createClient } from "../support/client.ts"
import { bearer, cookie } from "../support/credentials.ts"
import type { Place } from "./place.ts"
import { type Credential, callerOf, type Model, type ModelUser } from "./state.ts"

/** Something that somebody does; `run` throws when the server says anything else than the model. */
export type Act = fc.AsyncCommand<Model, Place>

/** @param told as it stands in a counterexample */
export const act = (told: string, run: (model: Model, place: Place) => Promise<void>): Act => ({
  check: () => true,
  run,
  toString: () => told,
})

/** Refuses with 422, in whatever words. */
export const unfit = { status: 422 } as const
export type Expected = Answer | typeof unfit

/** @throws Error when the answer, but for cookies, is not the one expected */
export function mustBe(expected: Expected, { headers, ...answer }: Answer) {
  const challenge = headers?.["www-authenticate"]
  const told = { ...answer, ...(challenge !== undefined && { headers: { "www-authenticate": challenge } }) }
  const agrees = expected === unfit ? answer.status === 422 && isDetail(answer.body) : Bun.deepEquals(told, expected)
  if (!agrees) throw new Error(`expected ${JSON.stringify(expected)}\n     got ${JSON.stringify(told)}`)
}

const isDetail = (body: unknown): boolean =>
  typeof body === "object" && body !== null && Object.keys(body).join() === "detail"

/** The credential at this place of the list, from 1; below zero from its end. Any other place is nobody's. */
export const credentialAt = ({ credentials }: Model, at: number): Credential | null =>
  (at < 0 ? credentials.at(at) : credentials[at - 1]) ?? null

export function clientOf({ url }: Place, credential: Credential | null): Client {
  if (credential === null) return createClient(url)
  return createClient(url, credential.kind === "session" ? cookie(credential.id) : bearer(credential.access))
}

/** Who calls, or what a protected endpoint says before it looks any further. */
export function admit(model: Model, credential: Credential | null): { caller: ModelUser } | { refusal: Answer } {
  const caller = callerOf(model, credential)
  if (caller === "bad session") return { refusal: badSession }
  return caller === "nobody" ? { refusal: unauthenticated } : { caller }
}

/** Whom a public endpoint takes a credential for. */
export function viewerOf(model: Model, credential: Credential | null): ModelUser | null {
  const caller = callerOf(model, credential)
  return typeof caller === "string" ? null : caller
}
