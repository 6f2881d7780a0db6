/**
 * Bun's own limit on a body, which bounds what it keeps of one that nobody reads yet. Bun refuses a larger one with a bare status,
 * so the limit is above any `limits.body_bytes`, and above what `readRest` reads.
 */
export const bunBodyBytes = 134_217_728

/** How long a sender may pause in a body that nobody wants. */
export const pauseMs = 1000
/** How much of such a body is read. */
export const maxRestBytes = 67_108_864

/** Whether a request announces a body, which may still be on its way. */
export const hasBody = (request: Request): boolean =>
  Number(request.headers.get("content-length") ?? 0) !== 0 || isInChunks(request)

/** Behind the chunks there may be trailers, which Bun takes for the next request and answers with 400. */
const isInChunks = ({ headers }: Request): boolean => headers.has("transfer-encoding")

/**
 * Hides the body of a request that declares its length. Elysia asks each request whether it has one, and Bun would create a
 * stream to answer that: 3 % of a transfer. `readBody` reads such a body without a stream, and `readRest` finds it again.
 */
export function hideBody(request: Request) {
  if (request.headers.has("content-length")) Object.defineProperty(request, "body", { value: null, configurable: true })
}

/**
 * Reads the rest of a body that nobody wants, and drops it. Returns whether all of it came: not if the sender pauses, sends very
 * much, or takes longer than `maxMs`; nor for GET and HEAD, whose bodies Bun drops without a word.
 */
export async function readRest(request: Request, maxMs: number): Promise<boolean> {
  Reflect.deleteProperty(request, "body")
  if (request.body === null || request.body.locked) return false
  const reader = request.body.getReader()
  let isCut = false
  const cut = () => {
    isCut = true
    void reader.cancel() // Bun would keep in memory what is not read once a stream has begun; this also ends `read`
  }
  const pause = setTimeout(cut, pauseMs)
  const end = setTimeout(cut, maxMs)
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) return !isCut
      pause.refresh()
      bytes += value.length
      if (bytes > maxRestBytes) cut()
    }
  } catch {
    return false // the client has gone
  } finally {
    clearTimeout(pause)
    clearTimeout(end)
  }
}

/**
 * An answer to a request whose body has not come completely, or may have trailers, ends the connection. Otherwise what is left
 * of it would be in the way of the next request, which behind a proxy is that of another client.
 */
export function answeredWith(request: Request, response: Response, isWhole: boolean): Response {
  if (!isWhole || isInChunks(request)) response.headers.set("connection", "close")
  return response
}

/** The answer of a server that wants no body at all. */
export const withoutBody = async (request: Request, response: Response): Promise<Response> =>
  answeredWith(request, response, !hasBody(request) || (await readRest(request, 5000)))
