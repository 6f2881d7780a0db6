import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { createProviderFetch } from "../../src/integrations/oidc/fetch.ts"
import { createProvider, providerSettingsOf } from "../../src/integrations/oidc/provider.ts"
import { createAuthority } from "../support/authority.ts"
import { createBrowserJar } from "../support/browser-jar.ts"
import { temporaryFolder } from "../support/executable.ts"
import { type FalseProvider, type Mistakes, startFalseProvider } from "../support/false-provider.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

let provider: FalseProvider
let server: TestServer
beforeAll(async () => {
  provider = await startFalseProvider()
  server = await startTestServer({ settings: { ...provider.settings, "oidc.provision": "true" } })
  await server.person("Ana")
})
afterAll(async () => {
  for (const one of [server, provider]) await one[Symbol.asyncDispose]()
})

/** Logs in through the provider; returns where in the app it leads, and whether there is a session. */
async function attempt(mistakes: Mistakes, { app, url } = server): Promise<string> {
  provider.makes(mistakes)
  const browser = createBrowserJar()
  const begun = await browser.sentTo(`${url}/oidc/login`)
  const end = begun.startsWith(url) ? begun : await browser.sentTo(await browser.sentTo(begun))
  const isIn = browser.cookie("session_id") !== undefined
  expect(await app.store.sessions.list(null, app.clock())).toHaveLength(isIn ? 1 : 0)
  if (isIn) await browser.go(`${url}/logout`, { method: "POST" })
  return `${new URL(end).pathname}${new URL(end).search}${isIn ? " with a session" : ""}`
}

const seconds = () => Math.floor(Date.now() / 1000)

test("an honest provider logs Ana in", async () => {
  expect(await attempt({})).toBe("/ with a session")
})

describe("an ID token is refused", () => {
  const cases: Record<string, Mistakes> = {
    "with the nonce of another log-in": { claims: (honest) => ({ ...honest, nonce: "another" }) },
    "without a nonce": { claims: ({ nonce: _, ...honest }) => honest },
    "for another client": { claims: (honest) => ({ ...honest, aud: "another" }) },
    "for several clients, this one not the authorized": {
      claims: (honest) => ({ ...honest, aud: ["rewards", "another"], azp: "another" }),
    },
    "of another issuer": { claims: (honest) => ({ ...honest, iss: "https://accounts.google.com" }) },
    "that has expired": { claims: (honest) => ({ ...honest, iat: seconds() - 900, exp: seconds() - 300 }) },
    "that is not valid yet": { claims: (honest) => ({ ...honest, nbf: seconds() + 300 }) },
    "that was issued in the future": { claims: (honest) => ({ ...honest, iat: seconds() + 300 }) },
    "that never expires": { claims: ({ exp: _, ...honest }) => honest },
    "of nobody": { claims: ({ sub: _, ...honest }) => honest },
    "with an empty subject": { claims: (honest) => ({ ...honest, sub: "" }) },
    "with a subject that no database can store": { claims: (honest) => ({ ...honest, sub: "1\0" }) },
    "that nobody signed": { header: () => ({ alg: "none" }) },
    "with its signature cut off": { token: (honest) => honest.replace(/[^.]+$/, "") },
    "signed with the client's secret": { header: () => ({ alg: "HS256" }) },
    "signed with a key that is not the provider's": { unknownKey: true },
    "signed with a key of another name": { header: () => ({ alg: "ES256", kid: "two" }) },
    "changed after it was signed": {
      token: (honest) => {
        const [header = "", claims = "", signature] = honest.split(".")
        const changed = Buffer.from(claims, "base64url").toString().replace("ana@example.com", "admin@localhost")
        return `${header}.${Buffer.from(changed).toString("base64url")}.${signature}`
      },
    },
    "that is not a token": { token: () => "token" },
  }
  test.each(Object.keys(cases))("%s", async (name) => {
    expect(await attempt(cases[name] ?? {})).toBe("/login?error=failed")
  })

  test("that is missing", async () => {
    expect(await attempt({ tokenAnswer: ({ id_token: _, ...honest }) => Response.json(honest) })).toBe(
      "/login?error=failed",
    )
  })
})

test("clocks may differ by a minute, and a token without a key id is accepted", async () => {
  expect(await attempt({ claims: (honest) => ({ ...honest, exp: seconds() - 30 }) })).toBe("/ with a session")
  expect(await attempt({ claims: (honest) => ({ ...honest, nbf: seconds() + 30 }) })).toBe("/ with a session")
  expect(await attempt({ claims: (honest) => ({ ...honest, iat: seconds() + 30 }) })).toBe("/ with a session")
  expect(await attempt({ header: () => ({ alg: "ES256" }) })).toBe("/ with a session")
})

describe("an answer is refused", () => {
  const cases: Record<string, [Mistakes, error: string]> = {
    "of another issuer, mixed up": [{ callback: (query) => query.set("iss", "https://evil.example") }, "failed"],
    "that does not name its issuer, although the provider does so": [
      { callback: (query) => query.delete("iss") },
      "failed",
    ],
    "without a code": [{ callback: (query) => query.delete("code") }, "failed"],
    "with an ID token beside the code": [{ callback: (query) => query.set("id_token", "x") }, "failed"],
    "with two codes": [{ callback: (query) => query.append("code", "x") }, "failed"],
    "with two states": [{ callback: (query) => query.append("state", "x") }, "failed"],
    "of another state": [{ callback: (query) => query.set("state", "x") }, "expired"],
    "without a state": [{ callback: (query) => query.delete("state") }, "expired"],
    "that states a failure of the provider": [
      {
        callback: (query) => {
          query.delete("code")
          query.set("error", "temporarily_unavailable")
        },
      },
      "unavailable",
    ],
    "whose code was used before": [
      { tokenAnswer: () => Response.json({ error: "invalid_grant" }, { status: 400 }) },
      "expired",
    ],
    "when the secret is wrong": [
      { tokenAnswer: () => Response.json({ error: "invalid_client" }, { status: 401 }) },
      "failed",
    ],
    "with a redirect for tokens": [{ tokenAnswer: () => Response.redirect("http://127.0.0.1:1/token", 307) }, "failed"],
    "with a page instead of tokens": [{ tokenAnswer: () => new Response("<p>hello</p>") }, "failed"],
    "of many bytes": [{ tokenAnswer: () => Response.json({ id_token: "x".repeat(600_000) }) }, "failed"],
    "with a failure for tokens": [{ tokenAnswer: () => new Response("", { status: 502 }) }, "unavailable"],
    "with the userinfo of somebody else": [
      { claims: ({ email: _, ...honest }) => honest, userInfo: (honest) => ({ ...honest, sub: "2" }) },
      "failed",
    ],
    "with an empty list of keys": [{ keys: () => [] }, "failed"],
  }
  test.each(Object.keys(cases))("%s", async (name) => {
    const [mistakes, error] = cases[name] ?? [{}, ""]
    expect(await attempt(mistakes)).toBe(`/login?error=${error}`)
  })
})

test("the log says what the provider states, what it says about it, and the cure", async () => {
  const reasonAfter = async (mistakes: Mistakes) => {
    await attempt(mistakes)
    return JSON.parse(server.logged().findLast((line) => line.includes("did not succeed")) ?? "{}").reason
  }
  const answering = (body: object, status = 401, headers = {}) => ({
    tokenAnswer: () => Response.json(body, { status, headers }),
  })
  const secret = "; correct oidc.client_id and oidc.client_secret: it does not know this service by them"
  const keycloak = { error: "unauthorized_client", error_description: "Invalid client or Invalid client credentials" }
  const challenge = { "www-authenticate": 'Basic realm="x"' }

  expect(await reasonAfter(answering(keycloak))).toBe(
    `the provider answers "unauthorized_client", "Invalid client or Invalid client credentials"${secret}`,
  )
  expect(await reasonAfter(answering({ error: "invalid_client" }, 401, challenge))).toBe(
    `the provider answers "invalid_client"${secret}`,
  )
  const long = { error: "toString", error_description: `line\none ${"x".repeat(900)}` }
  expect(await reasonAfter(answering(long, 400))).toBe(
    `the provider answers "toString", "line\\none ${"x".repeat(291)}"`,
  )
  const scope = (query: URLSearchParams) => {
    query.delete("code")
    query.set("error", "invalid_scope")
    query.set("error_description", "Invalid scopes: groups")
  }
  expect(await reasonAfter({ callback: scope })).toBe(
    'the provider answers "invalid_scope", "Invalid scopes: groups"; correct oidc.scopes',
  )
})

test("a statement that an address is verified counts only for the address beside it", async () => {
  const unverified = ({ email_verified: _, ...honest }: Record<string, unknown>) => ({
    ...honest,
    sub: "new",
    email: "admin@localhost",
  })
  const mistakes = {
    claims: unverified,
    userInfo: () => ({ sub: "new", email: "other@example.com", email_verified: true }),
  }
  expect(await attempt(mistakes)).toBe("/ with a session")
  expect(await server.app.store.users.byEmail("other@example.com")).toMatchObject({ username: "other" })
  expect(
    await attempt({
      ...mistakes,
      userInfo: () => ({ sub: "new2" }),
      claims: (honest) => ({ ...unverified(honest), sub: "new2" }),
    }),
  ).toBe("/login?error=unverified_email")
})

describe("a provider with a wrong issuer or unsafe addresses is not used", () => {
  const cases: Record<string, Mistakes> = {
    "another issuer": { metadata: () => ({ issuer: "https://accounts.google.com" }) },
    "a slash more": { metadata: ({ issuer }) => ({ issuer: `${issuer}/` }) },
    "no issuer": { metadata: () => ({ issuer: undefined }) },
    "an address that is not encrypted": {
      metadata: () => ({ authorization_endpoint: "http://login.example.com/auth" }),
    },
    "an address of a script": { metadata: () => ({ authorization_endpoint: "javascript:alert(1)" }) },
    "no address for tokens that is encrypted": {
      metadata: () => ({ token_endpoint: "http://login.example.com/token" }),
    },
  }
  test.each(Object.keys(cases))("%s", async (name) => {
    provider.makes(cases[name] ?? {})
    await using fresh = await startTestServer({ settings: provider.settings })
    expect(await attempt(cases[name] ?? {}, fresh)).toBe("/login?error=failed")
  })
})

test("while the provider is down, log-ins say so and it is asked once each; afterwards they work again", async () => {
  await using fresh = await startTestServer({ settings: provider.settings })
  await fresh.person("Ana")
  provider.down(true)
  provider.asked()
  expect(await attempt({}, fresh)).toBe("/login?error=unavailable")
  expect(await attempt({}, fresh)).toBe("/login?error=unavailable")
  expect(provider.asked()).toEqual(Array(2).fill("/.well-known/openid-configuration"))

  provider.down(false)
  fresh.clock.advance(5000)
  expect(await attempt({}, fresh)).toBe("/ with a session")
  provider.asked()
  expect(await attempt({}, fresh)).toBe("/ with a session")
  expect(provider.asked()).toEqual(["/auth", "/token", "/jwks"])

  fresh.clock.advance(3_600_000) // its metadata are old, but better than none
  provider.down(true)
  expect((await fresh.anybody.get("/oidc/login")).headers?.location).toStartWith(`${provider.issuer}/auth?`)
  provider.down(false)
  const { logged } = fresh
  expect(
    logged()
      .filter((line) => line.includes("did not succeed"))
      .map((line) => JSON.parse(line).reason),
  ).toEqual(Array(2).fill("the provider answers with status 503"))
})

test("after too many failures from one address, the provider is not asked for five minutes", async () => {
  await using fresh = await startTestServer({ settings: { ...provider.settings, "limits.login_failures": "1" } })
  await fresh.person("Ana")
  for (let time = 0; time < 100; time += 1) await fresh.anybody.get("/oidc/callback?code=1&state=2")
  expect(await attempt({}, fresh)).toBe("/login?error=too_many")

  fresh.clock.advance(300_000)
  expect(await attempt({}, fresh)).toBe("/ with a session")
})

test("a private certificate authority is trusted only if oidc.ca names it", async () => {
  const authority = await createAuthority()
  await using folder = await temporaryFolder()
  const ca = join(folder.path, "ca.pem")
  await Bun.write(ca, authority.pem)
  await using secure = await startFalseProvider(await authority.issue(["127.0.0.1"]))
  for (const [settings, end] of [
    [{ "oidc.ca": ca }, /^https:\/\/127/],
    [{}, /error=unavailable/],
    [{ "oidc.ca": join(folder.path, "none.pem") }, /error=failed/],
  ] as const) {
    await using fresh = await startTestServer({ settings: { ...secure.settings, ...settings } })
    expect((await fresh.anybody.get("/oidc/login")).headers?.location).toMatch(end)
  }
})

test("the server looks the name of the provider up itself", async () => {
  const authority = await createAuthority()
  await using folder = await temporaryFolder()
  const ca = join(folder.path, "ca.pem")
  await Bun.write(ca, authority.pem)
  await using named = await startFalseProvider(await authority.issue(["id.example.test"]), "id.example.test")
  await using fresh = await startTestServer({
    settings: { ...named.settings, "oidc.ca": ca },
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  })
  expect((await fresh.anybody.get("/oidc/login")).headers?.location).toStartWith(`${named.issuer}/auth`)
})

test("an answer of the provider that never ends is aborted", async () => {
  const hanging = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(new ReadableStream({ start: (controller) => controller.enqueue("{") })),
  })
  const fetchFrom = createProviderFetch({ ca: null, timeoutMs: 50 })
  const asked = fetchFrom(hanging.url.href, { method: "GET", headers: {}, body: undefined, redirect: "manual" })
  expect(asked).rejects.toMatchObject({ name: "TimeoutError" })
  await asked.catch(() => {})
  await hanging.stop(true)
})

describe("a provider that hangs", () => {
  /** A provider that sends its metadata only while `isWell`. */
  async function startHanging() {
    const state = { isWell: false, asked: 0 }
    const hanging = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }): Response | Promise<Response> => {
        state.asked += 1
        const issuer = new URL(url).origin
        const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
        return state.isWell ? Response.json(metadata) : new Promise<Response>(() => {})
      },
    })
    await using configured = await startTestServer({
      settings: { ...provider.settings, "oidc.issuer": hanging.url.origin },
    })
    const settings = providerSettingsOf(configured.app.config)
    if (settings === null) throw new Error("no provider is set up")
    return { state, settings, [Symbol.asyncDispose]: () => hanging.stop(true) }
  }

  test("is asked once for its metadata; log-ins within the next 5 s do not wait for it", async () => {
    await using hanging = await startHanging()
    const { discover } = createProvider(hanging.settings, () => 0, { metadataMs: 50 })

    const refusal = { code: "unavailable", message: "the provider did not answer in time" }
    for (let time = 0; time < 2; time += 1) await expect(discover()).rejects.toMatchObject(refusal)
    expect(hanging.state.asked).toBe(1)
  })

  test("keeps nobody waiting who can use the metadata from before", async () => {
    await using hanging = await startHanging()
    const { state, settings } = hanging
    let now = 0
    const { discover } = createProvider(settings, () => now, { metadataMs: 2_147_483_647 })
    state.isWell = true
    const { metadata } = await discover()

    state.isWell = false
    now = 3_600_000
    for (let time = 0; time < 2; time += 1) expect((await discover()).metadata).toBe(metadata)
    await until(() => state.asked === 2)
  })
})
