import "reflect-metadata" // x509 requires it, and must be imported after it
import { createHash, createHmac, createPublicKey, verify } from "node:crypto"
import * as x509 from "@peculiar/x509"
import { createAuthority, type Validity } from "./authority.ts"

export interface AcmeServerOptions {
  /** Where the names are checked instead of port 80 of their addresses. */
  readonly challengePort: number
  /** Accounts are bound to one of these: keys in base64url by their ids. Absent: nobody needs one. */
  readonly externalKeys?: Readonly<Record<string, string>>
}

/** What happens instead of what the client asks for. */
interface Refusal {
  readonly type: string
  readonly detail?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly subproblems?: readonly object[]
}

interface Account {
  readonly jwk: JsonWebKey
  readonly thumbprint: string
  readonly contact: readonly string[]
}

interface Order {
  readonly account: string
  readonly names: readonly string[]
  readonly authorizations: readonly string[]
  status: "pending" | "ready" | "processing" | "valid" | "invalid"
  error: object | null
  certificate: string | null
}

interface Authorization {
  readonly account: string
  readonly name: string
  readonly token: string
  status: "pending" | "valid" | "invalid"
  error: object | null
}

export type AcmeServer = Awaited<ReturnType<typeof startAcmeServer>>

/**
 * An authority that follows RFC 8555 strictly: nonces are good for one request, signatures and their headers are checked, an
 * account sees only its own orders, each name is fetched over HTTP before a certificate is made.
 */
export async function startAcmeServer({ challengePort, externalKeys }: AcmeServerOptions) {
  const authority = await createAuthority()
  const nonces = new Set<string>()
  const accounts = new Map<string, Account>()
  const orders = new Map<string, Order>()
  const authorizations = new Map<string, Authorization>()
  const certificates = new Map<string, string>()
  const requests: string[] = []
  let refuse: (step: string) => Refusal | undefined = () => undefined
  let validity: Validity | undefined

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const headers: Record<string, string> = { "replay-nonce": newNonce(), "cache-control": "no-store" }
      try {
        return await answer(request, headers)
      } catch (error) {
        if (!(error instanceof AcmeError)) throw error
        const { type, detail = "", status = 400, headers: more, subproblems } = error.refusal
        return new Response(
          JSON.stringify({
            type: `urn:ietf:params:acme:error:${type}`,
            detail,
            status,
            ...(subproblems && { subproblems }),
          }),
          { status, headers: { ...headers, ...more, "content-type": "application/problem+json" } },
        )
      }
    },
  })
  const url = `http://127.0.0.1:${server.port}`

  return {
    directory: `${url}/directory`,
    /** Of the authority, for clients that are to trust it. */
    pem: authority.pem,
    /** What was asked for, as in `new-order`. */
    requests,
    /** The contacts of the accounts. */
    contacts: () => [...accounts.values()].map(({ contact }) => contact),
    /** From now on, steps for which this returns something are refused with it. Without it, none. */
    refuses(when: (step: string) => Refusal | undefined = () => undefined) {
      refuse = when
    },
    /** The validity of certificates from now on. */
    certifies(period: Validity) {
      validity = period
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }

  function newNonce(): string {
    const nonce = crypto.randomUUID()
    nonces.add(nonce)
    return nonce
  }

  async function answer(request: Request, headers: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(request.url)
    const [, step = "", id = ""] = pathname.split("/")
    if (step !== "directory" && step !== "new-nonce") requests.push(step)
    const refused = refuse(step)
    if (refused) throw new AcmeError(refused)
    if (!/^rewards\/\d/.test(request.headers.get("user-agent") ?? "")) throw malformed("no user agent")
    if (step === "directory") return Response.json(directory(), { headers })
    if (step === "new-nonce") return new Response(null, { headers })
    const { payload, account, accountUrl, jwk } = await verified(request)
    if (step === "new-account") return newAccount(payload, jwk, headers)
    if (account === undefined || accountUrl === undefined) throw new AcmeError({ type: "accountDoesNotExist" })
    switch (step) {
      case "new-order":
        return newOrder(payload, accountUrl, headers)
      case "authorization":
        return Response.json(authorizationView(id, own(authorizations, id, accountUrl)), { headers })
      case "challenge":
        void check(own(authorizations, id, accountUrl), account)
        return Response.json(challengeView(id, own(authorizations, id, accountUrl)), { headers })
      case "order":
        return Response.json(orderView(id, own(orders, id, accountUrl)), { headers })
      case "finalize":
        await finalize(own(orders, id, accountUrl), id, payload)
        return Response.json(orderView(id, own(orders, id, accountUrl)), { headers })
      case "certificate": {
        if (payload !== null) throw malformed("a certificate is read with POST-as-GET")
        own(orders, id, accountUrl)
        return new Response(`${certificates.get(id)}\n${authority.pem}\n`, {
          headers: { ...headers, "content-type": "application/pem-certificate-chain" },
        })
      }
      default:
        throw malformed("no such resource")
    }
  }

  function directory() {
    return {
      newNonce: `${url}/new-nonce`,
      newAccount: `${url}/new-account`,
      newOrder: `${url}/new-order`,
      meta: { externalAccountRequired: externalKeys !== undefined },
    }
  }

  /** RFC 8555, section 6: the signature, its headers, and whose it is. */
  async function verified(request: Request) {
    if (request.method !== "POST") throw malformed("not a POST")
    if (request.headers.get("content-type") !== "application/jose+json") throw malformed("no application/jose+json")
    const jws = (await request.json()) as { protected: string; payload: string; signature: string }
    const header = decoded(jws.protected)
    if (header.alg !== "ES256") throw new AcmeError({ type: "badSignatureAlgorithm" })
    if (!nonces.delete(String(header.nonce))) throw new AcmeError({ type: "badNonce" })
    if (header.url !== request.url) throw new AcmeError({ type: "unauthorized", detail: "another url was signed" })
    const isNew = new URL(request.url).pathname === "/new-account"
    if (isNew !== "jwk" in header || isNew === "kid" in header)
      throw malformed("jwk is for new accounts, kid for others")
    const accountUrl = isNew ? undefined : String(header.kid)
    const account = accountUrl === undefined ? undefined : accounts.get(accountUrl)
    const jwk = (isNew ? header.jwk : account?.jwk) as JsonWebKey
    if (jwk === undefined) throw new AcmeError({ type: "accountDoesNotExist" })
    const key = createPublicKey({ key: jwk as never, format: "jwk" })
    const signature = Buffer.from(jws.signature, "base64url")
    const isGood = verify(
      "sha256",
      Buffer.from(`${jws.protected}.${jws.payload}`),
      { key, dsaEncoding: "ieee-p1363" },
      signature,
    )
    if (!isGood) throw malformed("the signature is wrong")
    return { payload: jws.payload === "" ? null : decoded(jws.payload), account, accountUrl, jwk }
  }

  function newAccount(payload: Record<string, unknown> | null, jwk: JsonWebKey, headers: Record<string, string>) {
    const { crv, kty, x, y } = jwk
    const thumbprint = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url")
    const known = [...accounts].find(([, account]) => account.thumbprint === thumbprint)
    if (known) return Response.json({ status: "valid" }, { headers: { ...headers, location: known[0] } })
    if (payload?.termsOfServiceAgreed !== true) throw new AcmeError({ type: "userActionRequired", status: 403 })
    if (externalKeys !== undefined) demandBinding(payload.externalAccountBinding, jwk)
    const location = `${url}/account/${accounts.size + 1}`
    accounts.set(location, { jwk, thumbprint, contact: (payload.contact ?? []) as string[] })
    return Response.json({ status: "valid" }, { status: 201, headers: { ...headers, location } })
  }

  /** RFC 8555, section 7.3.4. */
  function demandBinding(binding: unknown, jwk: JsonWebKey) {
    if (typeof binding !== "object" || binding === null)
      throw new AcmeError({ type: "externalAccountRequired", status: 403, detail: "an external account is required" })
    const jws = binding as { protected: string; payload: string; signature: string }
    const { alg, kid, url: signed } = decoded(jws.protected)
    const key = externalKeys?.[String(kid)]
    const expected = createHmac("sha256", Buffer.from(key ?? "", "base64url"))
      .update(`${jws.protected}.${jws.payload}`)
      .digest("base64url")
    const isGood = alg === "HS256" && signed === `${url}/new-account` && key !== undefined && jws.signature === expected
    if (!isGood || JSON.stringify(decoded(jws.payload)) !== JSON.stringify(jwk))
      throw new AcmeError({ type: "unauthorized", status: 403, detail: "the external account is unknown" })
  }

  function newOrder(payload: Record<string, unknown> | null, account: string, headers: Record<string, string>) {
    const identifiers = (payload?.identifiers ?? []) as readonly { type: string; value: string }[]
    if (identifiers.length === 0 || identifiers.some(({ type }) => type !== "dns")) throw malformed("no identifiers")
    const ids = identifiers.map(({ value: name }) => {
      const id = crypto.randomUUID()
      authorizations.set(id, { account, name, token: newNonce(), status: "pending", error: null })
      return id
    })
    const id = crypto.randomUUID()
    const order: Order = {
      account,
      names: identifiers.map(({ value }) => value),
      authorizations: ids,
      status: "pending",
      error: null,
      certificate: null,
    }
    orders.set(id, order)
    return Response.json(orderView(id, order), { status: 201, headers: { ...headers, location: `${url}/order/${id}` } })
  }

  /** RFC 8555, section 8.3: fetches the answer. */
  async function check(authorization: Authorization, { thumbprint }: Account) {
    const { token, name } = authorization
    const refused = refuse(`check of ${name}`)
    const fetched = await fetch(`http://127.0.0.1:${challengePort}/.well-known/acme-challenge/${token}`, {
      headers: { host: name },
      redirect: "manual",
    }).then(
      async (response) => (response.status === 200 ? await response.text() : `status ${response.status}`),
      () => null,
    )
    const error =
      refused ??
      (fetched === null
        ? { type: "connection", detail: "Connection refused" }
        : fetched.trimEnd() === `${token}.${thumbprint}`
          ? null
          : { type: "unauthorized", detail: `Invalid response: ${fetched}` })
    authorization.status = error === null ? "valid" : "invalid"
    authorization.error = error && { ...error, type: `urn:ietf:params:acme:error:${error.type}` }
    for (const order of orders.values()) {
      const states = order.authorizations.map((id) => authorizations.get(id)?.status)
      if (order.status !== "pending") continue
      if (states.includes("invalid")) order.status = "invalid"
      else if (states.every((status) => status === "valid")) order.status = "ready"
    }
  }

  /** RFC 8555, section 7.4. */
  async function finalize(order: Order, id: string, payload: Record<string, unknown> | null) {
    if (order.status !== "ready") throw new AcmeError({ type: "orderNotReady", status: 403 })
    const csr = new x509.Pkcs10CertificateRequest(Buffer.from(String(payload?.csr), "base64url"))
    if (!(await csr.verify())) throw new AcmeError({ type: "badCSR", detail: "the signature is wrong" })
    const names = namesOf(csr)
    if (names.toSorted().join() !== order.names.toSorted().join())
      throw new AcmeError({ type: "badCSR", detail: "it has other names than the order" })
    order.status = "processing"
    const refused = refuse("certify")
    if (refused) {
      order.status = "invalid"
      order.error = { ...refused, type: `urn:ietf:params:acme:error:${refused.type}` }
      return
    }
    certificates.set(id, await authority.certify(csr.publicKey, names, validity))
    order.status = "valid"
    order.certificate = `${url}/certificate/${id}`
  }

  function orderView(id: string, { status, names, authorizations, error, certificate }: Order) {
    return {
      status,
      identifiers: names.map((value) => ({ type: "dns", value })),
      authorizations: authorizations.map((one) => `${url}/authorization/${one}`),
      finalize: `${url}/finalize/${id}`,
      ...(error && { error }),
      ...(certificate && { certificate }),
    }
  }

  function authorizationView(id: string, authorization: Authorization) {
    return {
      status: authorization.status,
      identifier: { type: "dns", value: authorization.name },
      challenges: [
        { type: "dns-01", url: `${url}/other/${id}`, token: "other", status: "pending" },
        challengeView(id, authorization),
      ],
    }
  }

  function challengeView(id: string, { token, status, error }: Authorization) {
    return { type: "http-01", url: `${url}/challenge/${id}`, token, status, ...(error && { error }) }
  }

  function own<T extends { readonly account: string }>(all: ReadonlyMap<string, T>, id: string, account: string): T {
    const found = all.get(id)
    if (found === undefined) throw malformed("no such resource")
    if (found.account !== account) throw new AcmeError({ type: "unauthorized", status: 403 })
    return found
  }
}

const namesOf = (csr: x509.Pkcs10CertificateRequest): string[] =>
  csr.extensions.flatMap((extension) =>
    extension instanceof x509.SubjectAlternativeNameExtension ? extension.names.items.map(({ value }) => value) : [],
  )

class AcmeError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.type)
  }
}

const malformed = (detail: string) => new AcmeError({ type: "malformed", detail })

const decoded = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, "base64url").toString())
