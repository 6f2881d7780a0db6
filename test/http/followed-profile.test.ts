import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { operator } from "../support/app.ts"
import { createBrowserJar } from "../support/browser-jar.ts"
import { type FalseProvider, startFalseProvider } from "../support/false-provider.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

let provider: FalseProvider
let server: TestServer
beforeAll(async () => {
  provider = await startFalseProvider()
  server = await startTestServer({
    settings: { ...provider.settings, "oidc.provision": "true", "oidc.duty_claim": "groups" },
  })
})
afterAll(async () => {
  for (const one of [server, provider]) await one[Symbol.asyncDispose]()
})

interface Me {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly duties: readonly string[]
}

/** Logs in with these claims; returns what the app then shows, or the address of a refusal. */
async function logIn(claims: Readonly<Record<string, unknown>>, { url } = server): Promise<Me | string> {
  provider.makes({
    claims: ({ email: _, email_verified: __, name: ___, ...honest }) => ({ ...honest, ...claims }),
    userInfo: () => ({ sub: `${claims.sub}` }),
  })
  const browser = createBrowserJar()
  const end = await browser.sentTo(await browser.sentTo(await browser.sentTo(`${url}/oidc/login`)))
  if (end !== `${url}/`) return end.slice(url.length)
  return (await browser.go(`${url}/api/v1/me`)).json()
}

const ana = { sub: "ana", email: "ana.souza@example.com", email_verified: true, name: "Ana Souza" }
const married = { ...ana, email: "ana.costa@example.com", name: "Ana Costa" }

describe("somebody who has another name and address at the provider", () => {
  test("has both here after the next log-in, with the same username, and the audit log says so", async () => {
    expect(await logIn(ana)).toMatchObject({ name: "Ana Souza", email: "ana.souza@example.com", username: "ana.souza" })
    expect(await logIn(married)).toMatchObject({ name: "Ana Costa", email: married.email, username: "ana.souza" })
    const entries = await server.app.store.audit.list({ action: "profile_changed", limit: 2 })
    expect(entries.map(({ who, whom, detail }) => [who, whom, detail])).toEqual([
      ["ana.souza", "ana.souza", "name: Ana Souza -> Ana Costa"],
      ["ana.souza", "ana.souza", "email"],
    ])
  })

  test("keeps an address that is not verified, not an address or somebody else's, and a name that is none", async () => {
    await server.person("Other")
    const kept = { name: "Kai", email: "kai@example.com" }
    const kai = { sub: "kai", ...kept, email_verified: true }
    await logIn(kai)
    for (const claims of [
      { email: "new@example.com", email_verified: false },
      { email: "new@example.com", email_verified: undefined },
      { email: "a b@example.com" },
      { email: "other@example.com" },
      { email: undefined, name: undefined },
      { name: "" },
      { name: "x".repeat(101) },
      { name: "K\u202Eai" },
      { email: "KAI@example.com" },
    ])
      expect([claims, await logIn({ ...kai, ...claims })]).toMatchObject([claims, kept])
    expect(server.logged().join()).toContain("another account has the e-mail address that the provider states")
    expect(await logIn({ ...kai, email: "other@example.com", name: "Kai L" })).toMatchObject({ ...kept, name: "Kai L" })
  })

  test("keeps the address as a superuser or with duties, since a reset link goes there", async () => {
    for (const [sub, change] of [
      ["chief", { dept: "management" }],
      ["clerk", { duties: ["people"] }],
    ] as const) {
      const claims = { sub, email: `${sub}@example.com`, email_verified: true, name: sub, groups: ["people"] }
      await logIn({ ...claims, groups: [] })
      await server.app.users.correct(operator, await server.app.access.toUser(sub), change)
      expect(await logIn({ ...claims, email: "attacker@example.com", name: "New" })).toMatchObject({
        ...{ name: "New", email: `${sub}@example.com` },
      })
    }
  })

  test("keeps both with oidc.follow_profile = false", async () => {
    await using strict = await startTestServer({
      settings: { ...provider.settings, "oidc.provision": "true", "oidc.follow_profile": "false" },
    })
    await logIn(ana, strict)
    expect(await logIn(married, strict)).toMatchObject({ name: "Ana Souza", email: "ana.souza@example.com" })
  })
})

describe("oidc.duty_claim", () => {
  const claims = (sub: string, groups: unknown) => ({
    ...{ sub, email: `${sub}@example.com`, email_verified: true, name: sub },
    groups,
  })

  test("gives the duties that the groups name, and takes those that they no longer name", async () => {
    for (const [groups, duties] of [
      [
        ["people", "insights", "everybody", "management"],
        ["insights", "people"],
      ],
      [["rewards"], ["rewards"]],
      ["programme", ["programme"]],
      [["People", " people", 5, null], []],
      [["people"], ["people"]],
      [undefined, []],
      [["people"], ["people"]],
      [{ people: true }, []],
    ] as const)
      expect([groups, await logIn(claims("dora", groups))]).toMatchObject([groups, { duties }])
    const [entry] = await server.app.store.audit.list({ action: "duties_changed", limit: 1 })
    expect(entry).toMatchObject({ who: "dora", whom: "dora", detail: "people -> none" })
  })

  test("never makes a superuser, nor gives one duties", async () => {
    expect(await logIn(claims("eli", ["management", "superuser", "people"]))).toMatchObject({
      ...{ duties: ["people"], dept: "unassigned" },
    })
    await server.app.users.correct(operator, await server.app.access.toUser("eli"), { dept: "management", duties: [] })
    expect(await logIn(claims("eli", ["people"]))).toMatchObject({ duties: [], dept: "management" })
  })

  test("leaves duties alone when it is not set, and with oidc.duty_groups only these groups give one", async () => {
    await using without = await startTestServer({ settings: { ...provider.settings, "oidc.provision": "true" } })
    await logIn(claims("flo", []), without)
    await without.app.users.correct(operator, await without.app.access.toUser("flo"), { duties: ["rewards"] })
    expect(await logIn(claims("flo", ["people"]), without)).toMatchObject({ duties: ["rewards"] })

    await using mapped = await startTestServer({
      settings: {
        ...{ ...provider.settings, "oidc.provision": "true", "oidc.duty_claim": "groups" },
        "oidc.duty_groups": "4f1c-90=people, a=b=insights",
      },
    })
    expect(await logIn(claims("gil", ["4f1c-90", "a=b", "rewards"]), mapped)).toMatchObject({
      duties: ["insights", "people"],
    })
  })
})

describe("oidc.trust_email", () => {
  const bea = { sub: "bea", email: "bea@example.com", name: "Bea" }

  test("takes an address for verified when the provider does not say, but not when it says otherwise", async () => {
    await using trusting = await startTestServer({ settings: { ...provider.settings, "oidc.trust_email": "true" } })
    await trusting.person("Bea")
    for (const email_verified of [false, "false", "no", 0])
      expect(await logIn({ ...bea, email_verified }, trusting)).toBe("/login?error=unverified_email")
    expect(await logIn({ ...bea, email: undefined }, trusting)).toBe("/login?error=unverified_email")
    for (const unsaid of [{}, { email_verified: null }])
      expect(await logIn({ ...bea, ...unsaid }, trusting)).toMatchObject({ username: "bea" })
  })

  test("is not needed where the provider writes the word in its own way", async () => {
    for (const [email_verified, name] of [
      ["True", "Ida"],
      ["true", "Jan"],
      [1, "Kim"],
    ] as const) {
      const claims = { sub: name, name, email: `${name}@example.com`.toLowerCase(), email_verified }
      expect(await logIn(claims)).toMatchObject({ username: name.toLowerCase() })
    }
    for (const email_verified of ["yes", [true], {}])
      expect(await logIn({ ...bea, email_verified })).toBe("/login?error=unverified_email")
  })

  test("is off unless set", async () => {
    await server.person("Bea")
    expect(await logIn(bea)).toBe("/login?error=unverified_email")
  })

  test("does not overrule the provider's second answer", async () => {
    await using trusting = await startTestServer({ settings: { ...provider.settings, "oidc.trust_email": "true" } })
    await trusting.person("Bea")
    provider.makes({
      claims: ({ email_verified: _, ...honest }) => ({ ...honest, ...bea }),
      userInfo: () => ({ ...bea, email_verified: false }),
    })
    const browser = createBrowserJar()
    expect(await browser.sentTo(await browser.sentTo(await browser.sentTo(`${trusting.url}/oidc/login`)))).toEndWith(
      "/login?error=unverified_email",
    )
  })
})
