import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { passwordOf } from "../support/app.ts"
import { type BrowserJar, createBrowserJar } from "../support/browser-jar.ts"
import { type FalseProvider, type Mistakes, startFalseProvider } from "../support/false-provider.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

let provider: FalseProvider
let server: TestServer
beforeAll(async () => {
  provider = await startFalseProvider()
  server = await startTestServer({
    settings: { ...provider.settings, "oidc.provision": "true", "oidc.session_hours": "2" },
  })
  await server.person("Ana")
})
afterAll(async () => {
  for (const one of [server, provider]) await one[Symbol.asyncDispose]()
})

/** A browser that is logged in through the provider. */
async function loggedIn(claims: Readonly<Record<string, unknown>> = {}): Promise<BrowserJar> {
  provider.makes({ claims: (honest) => ({ ...honest, ...claims }) })
  const browser = createBrowserJar()
  const end = await browser.sentTo(await browser.sentTo(await browser.sentTo(`${server.url}/oidc/login`)))
  expect(end).toBe(`${server.url}/`)
  return browser
}

const isIn = async (browser: BrowserJar): Promise<boolean> =>
  (await browser.go(`${server.url}/api/v1/session`)).json().then((session: unknown) => session !== null)

const post = async (token: string, { url } = server) => {
  const body = new URLSearchParams({ logout_token: token })
  const answer = await fetch(`${url}/oidc/backchannel-logout`, { method: "POST", body })
  return { status: answer.status, body: await answer.json(), cache: answer.headers.get("cache-control") }
}
const told = async (mistakes: Parameters<FalseProvider["logoutToken"]>[0] = {}) =>
  post(await provider.logoutToken(mistakes))

const done = { status: 200, body: { status: "logged out" }, cache: "no-store" }

describe("a log-out at the provider", () => {
  test("ends the sessions of that log-in, and no others", async () => {
    const [one, other, somebodyElses] = [
      await loggedIn({ sid: "s-1" }),
      await loggedIn({ sid: "s-2" }),
      await loggedIn({ sid: "s-3", sub: "2", email: "bea@example.com", name: "Bea" }),
    ]
    expect(await told({ claims: (honest) => ({ ...honest, sid: "s-1" }) })).toMatchObject(done)
    expect([await isIn(one), await isIn(other), await isIn(somebodyElses)]).toEqual([false, true, true])
    expect(await told({ claims: ({ sub: _, ...honest }) => ({ ...honest, sid: "s-3" }) })).toMatchObject(done)
    expect([await isIn(other), await isIn(somebodyElses)]).toEqual([true, false])

    const [entry] = await server.app.store.audit.list({ action: "access_ended", limit: 1 })
    const detail = "a session, because of a log-out at the provider"
    expect(entry).toMatchObject({ who: null, whom: "bea", address: "127.0.0.1", detail })
  })

  test("ends all sessions of the person when it names no log-in, or one that is not known", async () => {
    for (const more of [{}, { sid: "another" }]) {
      const browsers = [await loggedIn({ sid: "s-1" }), await loggedIn()]
      expect(await told({ claims: (honest) => ({ ...honest, ...more }) })).toMatchObject(done)
      for (const browser of browsers) expect(await isIn(browser)).toBe(false)
    }
  })

  test("of somebody who has no session or no account here is no error, and ends nobody's", async () => {
    const browser = await loggedIn({ sid: "s-1" })
    for (const claims of [{ sub: "nobody" }, { sub: "nobody", sid: "s-1" }, { sub: undefined, sid: "unknown" }])
      expect(await told({ claims: (honest) => ({ ...honest, ...claims }) })).toMatchObject(done)
    expect(await isIn(browser)).toBe(true)
    await told()
    expect(await told()).toMatchObject(done)
  })

  test("that is told twice, or late, ends no session that was opened after it", async () => {
    const token = await provider.logoutToken()
    const [before, named] = [await loggedIn(), await loggedIn({ sid: "s-1" })]
    expect(await post(token)).toMatchObject(done)
    expect(await isIn(before)).toBe(false)
    expect(await isIn(named)).toBe(false)
    const after = await loggedIn()
    expect(await post(token)).toMatchObject(done)
    expect(await isIn(after)).toBe(true)

    const iat = Math.floor(Date.now() / 1000) - 300
    const late = { claims: (honest: object) => ({ ...honest, iat }) }
    expect(await told(late)).toMatchObject(done)
    expect(await isIn(after)).toBe(true)
    server.clock.advance(300_000)
    expect(await told(late)).toMatchObject(done)
    expect(await isIn(after)).toBe(false)
  })

  test("is taken up when the token names no key, too", async () => {
    const browser = await loggedIn()
    expect(await told({ header: (honest) => ({ ...honest, kid: undefined }) })).toMatchObject(done)
    expect(await isIn(browser)).toBe(false)
  })
})

describe("a logout token is refused", () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  const without = (name: string) => (honest: Record<string, unknown>) => ({ ...honest, [name]: undefined })
  const cases: Record<string, Pick<Mistakes, "claims" | "header" | "unknownKey">> = {
    "for another client": { claims: (honest) => ({ ...honest, aud: "another" }) },
    "of another issuer": { claims: (honest) => ({ ...honest, iss: "https://accounts.google.com" }) },
    "that has expired": { claims: (honest) => ({ ...honest, exp: seconds() - 120 }) },
    "that is old and never expires": { claims: (honest) => ({ ...honest, exp: undefined, iat: seconds() - 900 }) },
    "that was issued in the future": { claims: (honest) => ({ ...honest, iat: seconds() + 300 }) },
    "without a time": { claims: without("iat") },
    "without an id": { claims: without("jti") },
    "with an id that is no text": { claims: (honest) => ({ ...honest, jti: 5 }) },
    "without an event, as an ID token has none": { claims: without("events") },
    "of another event": { claims: (honest) => ({ ...honest, events: { "https://example.com/event": {} } }) },
    "whose events are no object": { claims: (honest) => ({ ...honest, events: "logout" }) },
    "with a nonce, as an ID token has": { claims: (honest) => ({ ...honest, nonce: "n" }) },
    "of nobody": { claims: without("sub") },
    "with a subject that no database can store": { claims: (honest) => ({ ...honest, sub: "1\0" }) },
    "with a session that is no text": { claims: (honest) => ({ ...honest, sub: undefined, sid: 5 }) },
    "that nobody signed": { header: () => ({ alg: "none" }) },
    "signed with the client's secret": { header: () => ({ alg: "HS256" }) },
    "signed with a key that is not the provider's": { unknownKey: true },
    "signed with a key of another name": { header: () => ({ alg: "ES256", kid: "two" }) },
  }
  const refused = {
    ...{ status: 400, body: { detail: "The logout token is not valid" }, cache: "no-store" },
  }

  test.each(Object.keys(cases))("%s", async (name) => {
    const browser = await loggedIn({ sid: "s-1" })
    const complaints = () =>
      server.logged().filter((line) => line.includes("a log-out at the provider was not taken up"))
    const before = complaints().length
    expect(await told(cases[name])).toMatchObject(refused)
    expect(complaints()).toHaveLength(before + 1)
    expect(await isIn(browser)).toBe(true)
  })

  test("that is none, and a request without one", async () => {
    expect(await post("token")).toMatchObject(refused)
    expect((await server.anybody.submit("/oidc/backchannel-logout", {})).status).toBe(422)
    expect((await server.anybody.post("/oidc/backchannel-logout", { logout_token: "x" })).status).toBe(415)
  })

  test("without a provider, with 404", async () => {
    await using alone = await startTestServer()
    expect((await post("token", alone)).status).toBe(404)
  })
})

test("a session that the provider opened lasts no longer than oidc.session_hours; one by password is not bound", async () => {
  provider.makes({})
  const browser = createBrowserJar()
  const begun = await browser.sentTo(await browser.sentTo(`${server.url}/oidc/login`))
  const cookies = (await browser.go(begun)).headers.getSetCookie()
  for (const name of ["session_id", "oidc_hint"])
    expect(cookies.find((cookie) => cookie.startsWith(name))).toContain("Max-Age=7200;")
  const byPassword = await server.withSession({ username: "ana", password: passwordOf("Ana") })
  server.clock.advance(2 * 3_600_000 - 1000)
  expect(await isIn(browser)).toBe(true)
  server.clock.advance(1000)
  expect(await isIn(browser)).toBe(false)
  expect((await byPassword.get("/api/v1/me")).status).toBe(200)
})
