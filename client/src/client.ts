import createClient, { type Client } from "openapi-fetch"
import { authorized, type Credentials } from "./credentials.ts"
import { type Retrying, retrying } from "./retry.ts"
import type { components, paths } from "./schema.ts"
import { type StreamOptions, type Transfer, transfers } from "./stream.ts"

export interface ClientOptions extends Retrying {
  /** Where the service is, such as `https://rewards.example.com`. */
  readonly url: string
  /** An API token, or name and password. Without, only what everybody may do. */
  readonly credentials?: Credentials
  readonly fetch?: typeof globalThis.fetch
  /** After how many milliseconds without a message a stream connects again; 30,000 unless given. */
  readonly silenceMs?: number
}

/**
 * Receiver, value, and optionally `reason`, `tags` and `private`, which hides the reason from others. With a list of receivers
 * each gets the value, all or nothing, and colleagues see one thanks.
 */
export type Gift = paths["/api/v1/transactions"]["post"]["requestBody"]["content"]["application/json"]

type Schemas = components["schemas"]
/** Which error it is: what a program decides by. */
export type ErrorCode = Schemas["ErrorCode"]
export type Transaction = Schemas["SentTransaction"]
export type Thanks = Schemas["SentThanks"]

/** Lists that end with `next`, which leads to the page after. */
type ListPath =
  | "/api/v1/feed"
  | "/api/v1/notifications"
  | "/api/v1/people"
  | "/api/v1/redemptions"
  | "/api/v1/transactions"
type Answer<Path extends ListPath> = paths[Path]["get"]["responses"][200]["content"]["application/json"]
export type Item<Path extends ListPath> = Answer<Path>["items"][number]
type Query<Path extends ListPath> = Omit<NonNullable<paths[Path]["get"]["parameters"]["query"]>, "before" | "after">

export type RewardsClient = ReturnType<typeof createRewardsClient>

/** A refusal of the service. */
export class RewardsError extends Error {
  override readonly name = "RewardsError"

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** Why, in the service's words. */
    readonly detail: string,
    /** Which error it is. Null if the answer came from elsewhere, such as a proxy. */
    readonly code: ErrorCode | null,
    /** The field of the request that is wrong; null if it is not one field. */
    readonly field: string | null,
  ) {
    super(detail)
  }
}

/** A client of one service. */
export function createRewardsClient(options: ClientOptions) {
  const url = options.url.replace(/\/+$/, "")
  const { credentials, fetch = globalThis.fetch } = options
  const auth = authorized(url, credentials, fetch)
  const patient = retrying(options)
  const api: Client<paths> = createClient<paths>({ baseUrl: url, fetch: auth.fetch })

  return {
    /** Every request of the interface, typed: `api.GET("/api/v1/me")`. Nothing is repeated. */
    api,

    /**
     * Sends points, once. The request is repeated after a lost connection, a 502, 503 or 504, and after a 429 that says how
     * long to wait; an idempotency key makes sure that the points move only once. Give your own `key` to repeat it later,
     * within 24 hours.
     * @throws RewardsError; what `fetch` throws when the last attempt gets no answer
     */
    async give<To extends Gift["to"]>(
      gift: Gift & { readonly to: To },
      { key = crypto.randomUUID(), signal }: { key?: string; signal?: AbortSignal } = {},
    ): Promise<To extends string ? Transaction : Thanks> {
      const headers = { "Idempotency-Key": key }
      const answer = await patient(
        () => api.POST("/api/v1/transactions", { body: gift, headers, ...(signal && { signal }) }),
        signal,
      )
      // The compiler cannot see that the answer follows from `to`.
      return answerOf(answer) as To extends string ? Transaction : Thanks
    },

    /** Every item of a list, page by page as they are asked for. @throws RewardsError */
    async *all<Path extends ListPath>(path: Path, query?: Query<Path>): AsyncGenerator<Item<Path>> {
      const cursor = path === "/api/v1/people" ? "after" : "before"
      let next: string | number | null = null
      do {
        const params = { query: { ...query, ...(next !== null && { [cursor]: next }) } }
        // The compiler cannot see that the parameters are those of this path.
        const answer = await patient(() => api.GET(path as "/api/v1/transactions", { params } as { params: object }))
        const page = answerOf(answer) as Answer<Path>
        yield* page.items
        next = page.next
      } while (next !== null)
    },

    /** Transactions as they happen, from the one after the id `after` on. After a lost connection the stream continues where it
     *  ended. It ends when `signal` is aborted. @throws RewardsError when the service refuses the credentials */
    stream: (from: StreamOptions = {}): AsyncGenerator<Transfer> => {
      return transfers({ url, authorization, isFinal, silenceMs: options.silenceMs }, from)
    },
  }

  /**
   * A WebSocket does not say why it was refused, and may be open to everybody, who see less. A request before each connection
   * finds out whether the credentials are valid, and renews a token that has ended.
   */
  async function authorization(): Promise<string | null> {
    if (credentials === undefined) return null
    const response = await auth.fetch(new Request(`${url}/api/v1/me`))
    if (!response.ok) throw refusalOf(response, await response.json().catch(() => null))
    return auth.header()
  }
}

/** @throws RewardsError */
function answerOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data !== undefined && response.ok) return data
  throw refusalOf(response, error)
}

function refusalOf({ status, statusText, headers }: Response, body: unknown): RewardsError {
  const { detail = statusText, field }: Partial<Schemas["CodedError"]> =
    typeof body === "object" && body !== null ? body : {}
  // A newer service may have codes that this version does not know.
  return new RewardsError(status, String(detail), headers.get("error-code") as ErrorCode | null, field ?? null)
}

/** Whether the same credentials will be refused again. */
const isFinal = (error: unknown): boolean => error instanceof RewardsError && error.status < 500 && error.status !== 429
