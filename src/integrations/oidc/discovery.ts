import type { CustomFetchOptions, ServerMetadata } from "openid-client"
import { LoginRefusal } from "../../domain/auth/single-sign-on.ts"
import type { Clock } from "../../domain/clock.ts"
import { isLoopback } from "../../net/addresses.ts"
import { type createProviderFetch, timeoutMs } from "./fetch.ts"
import { refusing, WrongIssuer } from "./refusals.ts"

/** The time limit of all requests for its metadata together, for which a browser at `/oidc/login` waits. */
const metadataTimeoutMs = 5000
/** When the provider's metadata are renewed. */
const refreshMs = 3_600_000
/** How long a failure to load the metadata is cached, so that log-ins do not wait for a provider that is down. */
const failurePauseMs = 5000
/** How many times the metadata are requested before the failure is cached. */
const attempts = 2

/** The metadata of the provider (OpenID Connect Discovery). */
interface Discovery {
  readonly metadata: ServerMetadata
  /** The time by the provider's clock, in milliseconds since the epoch; null when its answer has no date. */
  readonly date: number | null
}

interface Dependencies {
  readonly issuer: string
  readonly clientId: string
  readonly fetchFrom: ReturnType<typeof createProviderFetch>
  readonly clock: Clock
  readonly metadataMs: number | undefined
}

/** Reads the provider's metadata, and keeps them. */
export function createDiscovery({ issuer, clientId, fetchFrom, clock, metadataMs = metadataTimeoutMs }: Dependencies) {
  const allowsPlain = isLoopback(new URL(issuer).hostname)
  let known: (Discovery & { readonly at: number }) | null = null
  let failure: { readonly refusal: LoginRefusal; readonly at: number } | null = null
  let pending: Promise<Discovery> | null = null

  return discover

  /**
   * The provider's metadata. Nobody waits for them but the first to log in: old ones are renewed while a log-in uses them,
   * and are better than none. @throws LoginRefusal
   */
  async function discover(): Promise<Discovery> {
    const isWithin = (ms: number, at: number) => Math.abs(clock() - at) < ms // also when the clock was set back
    if (known === null) {
      if (failure !== null && isWithin(failurePauseMs, failure.at)) throw failure.refusal
      return renewed()
    }
    if (!isWithin(refreshMs, known.at)) renewed().catch(() => {})
    return known
  }

  /** One request for all log-ins at the same time. */
  function renewed(): Promise<Discovery> {
    pending ??= renew().finally(() => {
      pending = null
    })
    return pending
  }

  async function renew(): Promise<Discovery> {
    try {
      known = { ...(await discovered()), at: clock() }
      return known
    } catch (error) {
      if (error instanceof LoginRefusal) failure = { refusal: error, at: clock() }
      if (known !== null) known = { ...known, at: clock() - refreshMs + failurePauseMs }
      throw error
    }
  }

  async function discovered(): Promise<Discovery> {
    const limit = AbortSignal.timeout(metadataMs)
    for (let attempt = 1; ; attempt += 1)
      try {
        return await refusing(() => askForMetadata(limit))
      } catch (error) {
        const isTransient = error instanceof LoginRefusal && error.code === "unavailable"
        if (attempt === attempts || !isTransient || limit.aborted) throw error
      }
  }

  async function askForMetadata(limit: AbortSignal): Promise<Discovery> {
    const client = await import("openid-client")
    let date: number | null = null
    const options = {
      timeout: timeoutMs / 1000,
      [client.customFetch]: async (address: string, init: CustomFetchOptions) => {
        const response = await fetchFrom(address, { ...init, signal: limit })
        const stated = Date.parse(response.headers.get("date") ?? "")
        date = Number.isNaN(stated) ? null : stated
        return response
      },
      ...(allowsPlain && { execute: [client.allowInsecureRequests] }),
    }
    const address = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
    const found = await client.discovery(address, clientId, undefined, client.None(), options)
    const metadata = found.serverMetadata()
    // Checked here, because the library accepts a different issuer where the configured one is Microsoft's.
    if (metadata.issuer !== issuer) throw new WrongIssuer(metadata.issuer)
    return { metadata, date }
  }
}
