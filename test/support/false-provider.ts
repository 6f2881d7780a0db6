import { client } from "./openid-provider.ts"

type Json = Record<string, unknown>

/** Mistakes of the provider. Each can change or replace the answer of an honest provider. */
export interface Mistakes {
  readonly metadata?: (honest: Json) => Json
  /** Claims of the ID token. */
  readonly claims?: (honest: Json) => Json
  readonly header?: (honest: Json) => Json
  /** The finished ID token. */
  readonly token?: (honest: string) => string
  /** Whether the provider signs with a key that it does not publish. */
  readonly unknownKey?: boolean
  readonly userInfo?: (honest: Json) => Json
  /** The query with which the provider sends the browser back. */
  readonly callback?: (honest: URLSearchParams) => void
  /** The answer of the token endpoint. */
  readonly tokenAnswer?: (honest: Json) => Response
  /** The published keys. */
  readonly keys?: (honest: Json[]) => Json[]
}

export type FalseProvider = Awaited<ReturnType<typeof startFalseProvider>>

/** A provider that logs everybody in with `claims`, and makes the mistakes that a test sets. */
export async function startFalseProvider(tls?: { readonly key: string; readonly cert: string }, name = "127.0.0.1") {
  const keys = { published: await newKey(), secret: await newKey() }
  const nonces = new Map<string, string>()
  let mistakes: Mistakes = {}
  let isDown = false
  let requests: string[] = []

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, ...(tls && { tls }), fetch: answer })
  const issuer = `http${tls ? "s" : ""}://${name}:${server.port}`
  const person = { sub: "1", email: "ana@example.com", email_verified: true, name: "Ana" }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    requests.push(pathname)
    if (isDown) return new Response("down", { status: 503 })
    if (pathname === "/.well-known/openid-configuration")
      return Response.json({ ...metadata(), ...mistakes.metadata?.(metadata()) })
    if (pathname === "/jwks") {
      const published = [await publicPart(keys.published)]
      return Response.json({ keys: mistakes.keys?.(published) ?? published })
    }
    if (pathname === "/auth") return sentBack(searchParams)
    if (pathname === "/userinfo") return Response.json(mistakes.userInfo?.(person) ?? person)
    if (pathname === "/token") return issued(new URLSearchParams(await request.text()))
    return new Response("not here", { status: 404 })
  }

  function sentBack(asked: URLSearchParams): Response {
    const code = crypto.randomUUID()
    nonces.set(code, asked.get("nonce") ?? "")
    const query = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer })
    mistakes.callback?.(query)
    return Response.redirect(`${asked.get("redirect_uri")}?${query}`, 303)
  }

  async function issued(form: URLSearchParams): Promise<Response> {
    const now = Math.floor(Date.now() / 1000)
    const nonce = nonces.get(form.get("code") ?? "") ?? ""
    const honest = { iss: issuer, aud: client.id, iat: now, exp: now + 300, nonce, ...person }
    const claims = mistakes.claims?.(honest) ?? honest
    const header = { alg: "ES256", kid: "one" }
    const signed = await sign(
      mistakes.header?.(header) ?? header,
      claims,
      mistakes.unknownKey ? keys.secret : keys.published,
    )
    const body = {
      access_token: "access",
      token_type: "Bearer",
      expires_in: 300,
      id_token: mistakes.token?.(signed) ?? signed,
    }
    return mistakes.tokenAnswer?.(body) ?? Response.json(body)
  }

  const metadata = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["ES256", "RS256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  })

  return {
    issuer,
    settings: { "oidc.issuer": issuer, "oidc.client_id": client.id, "oidc.client_secret": client.secret },
    /** Sets the mistakes from now on, in place of earlier ones. */
    makes(made: Mistakes) {
      mistakes = made
    },
    down(value: boolean) {
      isDown = value
    },
    /** A logout token about the person, with the mistakes of `claims` and `header`, or signed by an unknown key. */
    logoutToken({ claims, header, unknownKey }: Pick<Mistakes, "claims" | "header" | "unknownKey"> = {}) {
      const iat = Math.floor(Date.now() / 1000)
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
      const honest = {
        iss: issuer,
        aud: client.id,
        iat,
        exp: iat + 120,
        jti: crypto.randomUUID(),
        sub: person.sub,
        events,
      }
      const honestHeader = { alg: "ES256", kid: "one", typ: "logout+jwt" }
      return sign(
        header?.(honestHeader) ?? honestHeader,
        claims?.(honest) ?? honest,
        unknownKey ? keys.secret : keys.published,
      )
    },
    /** The requested paths since the last call. */
    asked(): string[] {
      const asked = requests
      requests = []
      return asked
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}

const newKey = () => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])

async function publicPart({ publicKey }: CryptoKeyPair): Promise<Json> {
  return { ...(await crypto.subtle.exportKey("jwk", publicKey)), kid: "one", use: "sig", alg: "ES256" }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url")

/** Signs with the private key, with HMAC by the client's secret, or not at all, as the header says. */
async function sign(header: Json, claims: Json, { privateKey }: CryptoKeyPair): Promise<string> {
  const signed = `${encoded(header)}.${encoded(claims)}`
  if (header.alg === "none") return `${signed}.`
  if (header.alg === "HS256")
    return `${signed}.${new Bun.CryptoHasher("sha256", client.secret).update(signed).digest("base64url")}`
  const algorithm = { name: "ECDSA", hash: "SHA-256" }
  const signature = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(signed))
  return `${signed}.${Buffer.from(signature).toString("base64url")}`
}
