import { type Answer, createClient } from "./client.ts"

/** Payload Token of the contract. */
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const cookie = (sessionId: string) => ({ cookie: `session_id=${sessionId}` })

/** The session id that an answer sets; empty when it sets none. */
export const sessionIn = ({ headers }: Answer): string =>
  /^session_id=([0-9a-f]{32});/.exec(headers?.["set-cookie"] ?? "")?.[1] ?? ""

/** Somebody's calls over HTTP, with an access token. */
export async function callerOf(url: string, { username, password }: { username: string; password: string }) {
  return createClient(url, bearer((await logIn(url, username, password)).access_token))
}

/** A pair of tokens from `POST /token`. */
export async function logIn(url: string, username: string, password: string): Promise<Tokens> {
  const answer = await createClient(url).submit<Tokens>("/token", { username, password })
  if (answer.status !== 200) throw new Error(`${username} could not log in: ${JSON.stringify(answer)}`)
  return answer.body
}
