import type { CustomFetchOptions } from "openid-client"
import { isLoopback } from "../../net/addresses.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { createFetch } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import { UnacceptableExchange } from "./refusals.ts"

/** The time limit of each request to the provider. */
export const timeoutMs = 10_000
/** Far above any valid answer: metadata and keys take a few kilobytes. */
const maxBytes = 512 * 1024

interface Options {
  /** Path of the certificate authorities to trust instead of the system's; null: the system's. */
  readonly ca: string | null
  /** The time limit of a whole request, the body included. */
  readonly timeoutMs: number
  readonly resolve?: Resolve | undefined
}

/**
 * Fetches from the provider: encrypted except on this machine, without following redirects, in bounded time and size.
 * Does not use ../../net/outbound.ts, which refuses private addresses and cuts off long answers: here the operator chose
 * the address, and a part of a document is of no use.
 * @throws UnusableFile, UnacceptableExchange, and what `fetch` throws
 */
export function createProviderFetch({ ca, timeoutMs, resolve }: Options) {
  const fetch = createFetch(resolve)
  return async (address: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> => {
    const url = encrypted(address)
    const request: BunFetchRequestInit = {
      method,
      headers,
      ...(body != null && { body: `${body}` }), // a form
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn it off.
      tls: { rejectUnauthorized: true, ...(ca !== null && { ca: readAuthorities("oidc.ca", ca) }) },
    }
    const response = await fetch(url, request)
    const bytes = await boundedBody(response)
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.status,
      headers: plain(response.headers),
    })
  }
}

/** @throws UnacceptableExchange */
export function encrypted(address: string): string {
  if (!isEncrypted(address)) throw new UnacceptableExchange("the provider names an address that is not https")
  return address
}

/** Whether the URL begins with https, or leads to this machine. */
function isEncrypted(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
}

async function boundedBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new UnacceptableExchange(`the provider answers with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The headers without those that describe the transferred bytes, and without a challenge for a secret (RFC 6749, section 5.2), for
 * which the library would not read what the provider says in the body.
 */
function plain(received: Headers): Headers {
  const headers = new Headers(received)
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name)
  if (/^basic\b/i.test(headers.get("www-authenticate") ?? "")) headers.delete("www-authenticate")
  return headers
}
