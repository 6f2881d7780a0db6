import type { Clock } from "../../domain/clock.ts"
import { sha256 } from "../../domain/text.ts"
import { isEqualInConstantTime } from "../../security/secrets.ts"

/** How long a log-in at the provider may take. */
export const flowSeconds = 600

/** A longer path is replaced by the home page, because the path is stored in a cookie. */
const maxNextLength = 1024

/** A log-in through the provider that has begun in a browser. */
export interface Flow {
  /** The value of the cookie that binds it to the browser. */
  readonly cookie: string
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE. */
  readonly verifier: string
  /** The path of this app to go to afterwards. */
  readonly next: string
  /** The id of the user who was logged in when the flow began; null when nobody was. */
  readonly linkTo: number | null
  /** The hash under which a used flow is stored, so that it works only once. */
  readonly tokenHash: string
  readonly expiresAt: number
}

/**
 * The state of log-ins through the provider. All of it is in the browser's cookie, so that any process can finish what
 * another one began; state, nonce and code verifier are derived from it with the server's key.
 */
export function createFlows({ secret, clock }: { readonly secret: string; readonly clock: Clock }) {
  return {
    begin({ next, linkTo }: Pick<Flow, "next" | "linkTo">): Flow {
      const id = crypto.getRandomValues(new Uint8Array(16)).toHex()
      const content = JSON.stringify([id, clock() + flowSeconds * 1000, linkTo, ownPath(next)])
      return flowOf(Buffer.from(content).toString("base64url"))
    },

    /** The flow of this cookie and state; null when they do not belong together, or when it has expired. */
    resume(cookie: string, state: string): Flow | null {
      const [payload = ""] = cookie.split(".", 1)
      if (!isEqualInConstantTime(cookie, `${payload}.${derived("cookie", payload)}`)) return null
      const flow = flowOf(payload)
      return isEqualInConstantTime(state, flow.state) && clock() < flow.expiresAt ? flow : null
    },
  }

  /** `payload` comes from `begin`. */
  function flowOf(payload: string): Flow {
    const [, expiresAt, linkTo, next] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [
      string,
      number,
      number | null,
      string,
    ]
    return {
      cookie: `${payload}.${derived("cookie", payload)}`,
      state: derived("state", payload),
      nonce: derived("nonce", payload),
      verifier: derived("verifier", payload),
      next,
      linkTo,
      tokenHash: sha256(payload),
      expiresAt,
    }
  }

  /** The prefix keeps these values apart from everything else that is signed with the same key. */
  function derived(use: string, payload: string): string {
    return new Bun.CryptoHasher("sha256", secret).update(`oidc ${use}:${payload}`).digest("base64url")
  }
}

/** `next` if it is a path of this app, with its query; otherwise the home page. */
export function ownPath(next: string): string {
  const base = "http://app.invalid"
  if (!next.startsWith("/") || next.length > maxNextLength) return "/"
  const target = URL.parse(next, base)
  if (target?.origin !== base) return "/"
  const path = target.pathname + target.search
  // The path of `/.//host/` is `//host/`, which is another host.
  if (URL.parse(path, base)?.origin !== base) return "/"
  return /^\/(login|oidc)(\/|$)/.test(target.pathname) ? "/" : path
}
