import { storedValue } from "../browser-storage.ts"
import type { Answer, Refused } from "./api.ts"

type Sent = { readonly headers: { readonly "idempotency-key": string } }

/** Idempotency keys by what their requests make. They survive a reload, but end with the tab. */
const storage = storedValue("request-keys", () => sessionStorage)

const keys = (): Readonly<Record<string, string>> => JSON.parse(storage.get() ?? "{}")

/**
 * Sends a request that makes something. While its outcome is unknown, the next request for the same thing (`about`) has the
 * same idempotency key, also when its dialog was closed or the page reloaded meanwhile: it is made once.
 */
export async function requestOnce<T>(about: string, send: (sent: Sent) => Promise<Answer<T>>): Promise<Answer<T>> {
  const { [about]: earlier, ...others } = keys()
  const key = earlier ?? crypto.randomUUID()
  storage.set(JSON.stringify({ ...others, [about]: key }))
  const answer = await send({ headers: { "idempotency-key": key } })
  if (answer.kind === "done" || (answer.kind === "refused" && isSettledBy(answer, earlier === undefined))) {
    const { [about]: _, ...left } = keys()
    storage.set(JSON.stringify(left))
  }
  return answer
}

/**
 * Whether a refusal says what became of the request. That of a first attempt does, unless it comes from a gateway. A later
 * attempt may be refused for another reason than the first: only the key tells whether that one arrived.
 */
const isSettledBy = ({ status, code }: Refused, isFirst: boolean): boolean =>
  code === "key_reused" || (isFirst && (status < 500 || status === 503))
