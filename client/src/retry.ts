export interface Retrying {
  /** How often a request is sent at most; 5 unless given. */
  readonly attempts?: number
  /** For tests. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The longest pause that the service may ask for. */
const longestMs = 60_000

/** The pause before an attempt: doubled each time, and drawn at random so that clients do not come back together. */
export const backoffMs = (attempt: number): number => Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Repeats what is safe to repeat, while the service or the way to it fails. */
export function retrying({ attempts = 5, sleep = pause }: Retrying) {
  return async <T extends { readonly response: Response }>(
    send: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send().catch((error: unknown) => {
        if (signal?.aborted || attempt >= attempts) throw error
        return null
      })
      const waitMs = answer === null ? backoffMs(attempt) : waitAfter(answer.response, attempt)
      if (answer !== null && (waitMs === null || attempt >= attempts)) return answer
      await sleep(waitMs ?? 0, signal)
    }
  }
}

/** Null: the answer is final. */
function waitAfter({ status, headers }: Response, attempt: number): number | null {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  const asked = seconds >= 0 && seconds * 1000 <= longestMs ? seconds * 1000 : null
  if (status === 429) return asked
  return status === 502 || status === 503 || status === 504 ? (asked ?? backoffMs(attempt)) : null
}

/** Resolves after this time. @throws the signal's reason when it is aborted before */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener("abort", abort, { once: true })
  })
}
