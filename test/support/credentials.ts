import { type Answer, createClient } from "./client.ts"

/** The answer of `POST /token`. */
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const cookie = (sessionId: string) => ({ cookie: `session_id=${sessionId}` })

/** The session id in the cookie that an answer sets; empty when it sets none. */
export const sessionIn = ({ headers }: Answer): string =>
  /^session_id=([0-9a-f]{32});/.exec(headers?.["set-cookie"] ?? "")?.[1] ?? ""

/** Logs in and returns a client that sends the access token. */
export async function callerOf(url: string, { username, password }: { username: string; password: string }) {
  return createClient(url, bearer((await logIn(url, username, password)).access_token))
}

/** Logs in with `POST /token`. */
export async function logIn(url: string, username: string, password: string): Promise<Tokens> {
  const answer = await createClient(url).submit<Tokens>("/token", { username, password })
  if (answer.status !== 200) throw new Error(`${username} could not log in: ${JSON.stringify(answer)}`)
  return answer.body
}
