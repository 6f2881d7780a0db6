import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import Provider from "oidc-provider"
import type { BrowserJar } from "./browser-jar.ts"

export const client = { id: "rewards", secret: "the secret of rewards at the provider" }

/** What the provider knows about a person. */
export type Claims = Readonly<Record<string, unknown>>

/** A real OpenID provider with a log-in form of its own, on this machine. People are known by their subject. */
export async function startProvider() {
  const people = new Map<string, Claims>()
  let handle: RequestListener = (_, response) => response.end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Registers the service with these addresses, and creates new keys. */
  async function register(...urls: readonly string[]) {
    const provider = new Provider(issuer, { ...configurationOf(urls, people), jwks: { keys: [await newKey()] } })
    const answer = provider.callback()
    handle = (request, response) =>
      request.url?.startsWith("/form/") ? void form(provider, request, response) : answer(request, response)
  }

  return {
    issuer,
    settings: { "oidc.issuer": issuer, "oidc.client_id": client.id, "oidc.client_secret": client.secret },
    register,
    /** Sets the claims of a person. */
    knows(subject: string, claims: Claims) {
      people.set(subject, claims)
    },
    /**
     * Fills in the form to which `address` leads, as this person. Returns the URL to which the provider sends the
     * browser back.
     */
    async logIn(browser: BrowserJar, address: string, subject: string): Promise<string> {
      const next = await browser.sentTo(address)
      if (!next.startsWith(issuer)) return next // logged in at the provider already
      const body = new URLSearchParams({ subject })
      return browser.sentTo(await browser.sentTo(next, { method: "POST", body }))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The provider's question before a log-out, without the fonts of its own page. */
function logoutSource(context: { body: string }, form: string) {
  context.body = `<!doctype html><title>Provider</title>${form}<button form="op.logoutForm" name="logout" value="yes">Log out there</button>`
}

async function newKey(): Promise<object> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const { ext: _, key_ops: __, ...key } = await crypto.subtle.exportKey("jwk", privateKey)
  return { ...key, alg: "ES256", use: "sig", kid: crypto.randomUUID() }
}

async function form(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method === "POST") {
    const subject = new URLSearchParams(await text(request)).get("subject") ?? ""
    const result = subject === "" ? { error: "access_denied" } : { login: { accountId: subject } }
    return provider.interactionFinished(request, response, result)
  }
  response.setHeader("content-type", "text/html")
  response.end(
    `<!doctype html><title>Provider</title><form method="post"><label>Who <input name="subject"></label><button>Continue</button></form>`,
  )
}

const configurationOf = (urls: readonly string[], people: ReadonlyMap<string, Claims>) => ({
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      id_token_signed_response_alg: "ES256",
      redirect_uris: urls.map((url) => `${url}/oidc/callback`),
      post_logout_redirect_uris: urls.map((url) => `${url}/login`),
    },
  ],
  // Some claims are in the ID token and some at the userinfo endpoint, because providers differ.
  conformIdTokenClaims: true,
  claims: {
    openid: ["sub"],
    email: ["email", "email_verified"],
    profile: ["name", "preferred_username", "department"],
  },
  cookies: { keys: ["a key for cookies of the test's provider"] },
  interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/form/${uid}` },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource } },
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  findAccount: (_: unknown, id: string) =>
    people.has(id) ? { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) } : undefined,
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  async loadExistingGrant({ oidc }: any) {
    const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session.accountId })
    grant.addOIDCScope("openid email profile")
    await grant.save()
    return grant
  },
})
