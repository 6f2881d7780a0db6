import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { AuditRecord } from "../../../src/domain/audit/ports.ts"
import { operator, passwordOf } from "../../support/app.ts"
import { type BrowserJar, createBrowserJar } from "../../support/browser-jar.ts"
import { type Claims, startProvider } from "../../support/openid-provider.ts"
import { startTestServer, type TestServer } from "../../support/server.ts"

let provider: Awaited<ReturnType<typeof startProvider>>
/** Creates no accounts; the other one does. */
let server: TestServer
let provisioning: TestServer
beforeAll(async () => {
  provider = await startProvider()
  server = await startTestServer({ settings: provider.settings })
  provisioning = await startTestServer({
    settings: { ...provider.settings, "oidc.provision": "true", "oidc.department_claim": "department" },
  })
  await provider.register(server.url, provisioning.url)
})
afterAll(async () => {
  for (const one of [server, provisioning, provider]) await one[Symbol.asyncDispose]()
})

const verified = (email: string, more: Claims = {}): Claims => ({ email, email_verified: true, ...more })

/** Logs in through the provider; returns where in the app it leads, without the host. */
async function logIn(subject: string, { at = server, browser = createBrowserJar(), next = "" } = {}): Promise<string> {
  const query = next === "" ? "" : `?next=${encodeURIComponent(next)}`
  const begun = await browser.sentTo(`${at.url}/oidc/login${query}`)
  const end = new URL(await browser.sentTo(await provider.logIn(browser, begun, subject)))
  expect(end.origin).toBe(at.url)
  return end.pathname + end.search
}

async function meIn(
  browser: BrowserJar,
  at = server,
): Promise<{ username: string; dept: string; name: string } | null> {
  return (await browser.go(`${at.url}/api/v1/session`)).json()
}

/** The newest entries of the audit log, without ids and times. */
async function audited(count: number, { app }: TestServer = server) {
  const records = await app.store.audit.list({ limit: count })
  return records.map(({ action, who, whom, detail }: AuditRecord) => [action, who, whom, detail])
}

const userNamed = (username: string, { app } = server) => app.access.toUser(username)

describe("the first log-in", () => {
  test("finds the account by its verified address, in any case, and links it permanently", async () => {
    const ana = await server.person("Ana")
    provider.knows("ana-1", verified("Ana@EXAMPLE.com"))
    const browser = createBrowserJar()

    expect(await logIn("ana-1", { browser, next: "/history?page=2" })).toBe("/history?page=2")
    expect(await meIn(browser)).toMatchObject({ username: "ana" })
    expect(await audited(2)).toEqual([
      ["identity_linked", "ana", "ana", provider.issuer],
      ["login", "ana", null, "single sign-on"],
    ])
    const [linked] = await server.app.store.audit.list({ action: "identity_linked", limit: 1 })
    expect(linked?.after).toEqual({ issuer: provider.issuer })
    const [session] = await server.app.store.sessions.list("ana", server.clock.now())
    expect(session).toMatchObject({ address: "127.0.0.1" })
    const { id } = await userNamed("ana")
    for (const sweep of server.app.housekeeping) await sweep(server.clock.now())
    expect(await server.app.store.users.lastLoginFrom(id, "127.0.0.1")).not.toBeNull()

    provider.knows("ana-1", { email: "new@example.org", email_verified: false })
    const other = createBrowserJar()
    expect(await logIn("ana-1", { browser: other })).toBe("/")
    expect(await meIn(other)).toMatchObject({ username: "ana" })
    expect((await server.as(ana)).accessToken).not.toBe("")
  })

  test("links no account by an address that is unverified or not stated as verified by the provider", async () => {
    await server.person("Bea")
    for (const claims of [
      { email: "bea@example.com" },
      { email: "bea@example.com", email_verified: false },
      { email: "bea@example.com", email_verified: "yes" },
      { email_verified: true },
      { email: ["bea@example.com"], email_verified: true },
    ]) {
      provider.knows("bea-1", claims)
      expect(await logIn("bea-1")).toBe("/login?error=unverified_email")
    }
    const [latest] = await audited(1)
    expect(latest).toEqual(["login_failed", null, null, "single sign-on: unverified_email"])
  })

  test("treats an address that matches only after Unicode case folding as another mailbox", async () => {
    await server.app.users.create(operator, {
      name: "Kim",
      email: "kim@example.com",
      dept: "sales",
      password: passwordOf("Kim"),
    })
    provider.knows("kelvin", verified("\u212Aim@example.com"))
    expect(await logIn("kelvin")).toBe("/login?error=no_account")
  })

  test("refuses somebody without an account, and a second provider account for somebody already linked", async () => {
    await server.person("Carla")
    provider.knows("stranger", verified("stranger@example.com"))
    provider.knows("carla-1", verified("carla@example.com"))
    provider.knows("carla-2", verified("carla@example.com"))

    expect(await logIn("stranger", { next: "/people" })).toBe("/login?error=no_account&next=%2Fpeople")
    expect(await logIn("carla-1")).toBe("/")
    expect(await logIn("carla-2")).toBe("/login?error=linked_elsewhere")
    expect(await audited(1)).toEqual([["login_failed", null, "carla", "single sign-on: linked_elsewhere"]])
  })

  test("links a superuser only in a browser where that superuser is logged in", async () => {
    await server.person("Sofia", { dept: "management" })
    await server.person("Teo")
    provider.knows("sofia-1", verified("sofia@example.com"))
    const logInHere = (browser: BrowserJar, name: string) =>
      browser.go(`${server.url}/login`, {
        method: "POST",
        body: new URLSearchParams({ username: name.toLowerCase(), password: passwordOf(name) }),
      })

    expect(await logIn("sofia-1")).toBe("/login?error=superuser")
    const teos = createBrowserJar()
    await logInHere(teos, "Teo")
    expect(await logIn("sofia-1", { browser: teos })).toBe("/login?error=superuser")

    const sofias = createBrowserJar()
    await logInHere(sofias, "Sofia")
    expect(await logIn("sofia-1", { browser: sofias, next: "/me" })).toBe("/me")
    const anew = createBrowserJar()
    expect(await logIn("sofia-1", { browser: anew })).toBe("/")
    expect(await meIn(anew)).toMatchObject({ username: "sofia" })
  })
})

test("refuses somebody who left, linked or not, until the account is reactivated", async () => {
  await server.person("Davi")
  provider.knows("davi-1", verified("davi@example.com"))
  await server.app.leavers.deactivate(operator, await userNamed("davi"), { returnPoints: false })
  expect(await logIn("davi-1")).toBe("/login?error=inactive")

  await server.app.leavers.reactivate(operator, await userNamed("davi"))
  const browser = createBrowserJar()
  expect(await logIn("davi-1", { browser })).toBe("/")
  await server.app.leavers.deactivate(operator, await userNamed("davi"), { returnPoints: false })
  expect(await meIn(browser)).toBeNull()
  expect(await logIn("davi-1")).toBe("/login?error=inactive")
})

describe("a log-in at the provider", () => {
  test("can be finished only in the browser that began it, within ten minutes", async () => {
    await server.person("Eva")
    provider.knows("eva-1", verified("eva@example.com"))
    const [mine, attackers] = [createBrowserJar(), createBrowserJar()]
    const back = await provider.logIn(attackers, await attackers.sentTo(`${server.url}/oidc/login`), "eva-1")

    const end = await mine.sentTo(back)
    expect(end).toBe(`${server.url}/login?error=expired`)
    await mine.sentTo(`${server.url}/oidc/login`) // with a log-in of one's own under way
    expect(await mine.sentTo(back)).toBe(`${server.url}/login?error=expired`)
    expect(await meIn(mine)).toBeNull()

    const slow = createBrowserJar()
    const late = await provider.logIn(slow, await slow.sentTo(`${server.url}/oidc/login`), "eva-1")
    server.clock.advance(600_000)
    expect(await slow.sentTo(late)).toBe(`${server.url}/login?error=expired`)
  })

  test("can be finished only once, even with a copied cookie and code", async () => {
    await server.person("Flor")
    provider.knows("flor-1", verified("flor@example.com"))
    const browser = createBrowserJar()
    const back = await provider.logIn(browser, await browser.sentTo(`${server.url}/oidc/login`), "flor-1")
    const stolen = browser.cookie("oidc_flow")

    expect(await browser.sentTo(back)).toBe(`${server.url}/`)
    expect(browser.cookie("oidc_flow")).toBeUndefined()
    expect(await browser.sentTo(back)).toBe(`${server.url}/login?error=expired`)
    const { headers } = await fetch(back, { headers: { cookie: `oidc_flow=${stolen}` }, redirect: "manual" })
    expect(headers.get("location")).toBe("/login?error=expired")
    expect(headers.getSetCookie().some((cookie) => cookie.startsWith("session_id"))).toBe(false)
  })

  test("is refused if its cookie was changed", async () => {
    provider.knows("gil-1", verified("gil@example.com"))
    const browser = createBrowserJar()
    const back = await provider.logIn(browser, await browser.sentTo(`${server.url}/oidc/login`), "gil-1")
    const cookie = browser.cookie("oidc_flow") ?? ""
    const [payload = "", signature = ""] = cookie.split(".")
    const elsewhere = Buffer.from(
      Buffer.from(payload, "base64url").toString().replace('"/"', '"//elsewhere.example"'),
    ).toString("base64url")

    for (const forged of [
      `${elsewhere}.${signature}`,
      payload,
      `${payload}.`,
      `.${signature}`,
      "",
      "a.b.c",
      `${cookie}x`,
    ]) {
      const { headers } = await fetch(back, { headers: { cookie: `oidc_flow=${forged}` }, redirect: "manual" })
      expect([forged, headers.get("location")]).toEqual([forged, "/login?error=expired"])
    }
  })

  test("that the person cancels returns to the page with the way to log in", async () => {
    expect(await logIn("", { next: "/people" })).toBe("/login?error=denied&next=%2Fpeople")
  })

  test("never redirects to another site", async () => {
    await server.person("Hugo")
    provider.knows("hugo-1", verified("hugo@example.com"))
    const browser = createBrowserJar()
    for (const next of [
      "https://elsewhere.example",
      "//elsewhere.example",
      "/\\elsewhere.example",
      "/.//elsewhere.example",
      "/%09/elsewhere.example/..//",
      "\t//elsewhere.example",
      "javascript:alert(1)",
      "people",
      "/login?next=/people",
      "/oidc/logout",
      `/${"x".repeat(2000)}`,
    ])
      expect([next, await logIn("hugo-1", { browser, next })]).toEqual([next, next.startsWith("/%09") ? "/%09//" : "/"])
  })

  test("ends the browser's previous session", async () => {
    await server.person("Ivo")
    provider.knows("ivo-1", verified("ivo@example.com"))
    const browser = createBrowserJar()
    await logIn("ivo-1", { browser })
    await logIn("ivo-1", { browser })
    expect(await server.app.store.sessions.list("ivo", server.clock.now())).toHaveLength(1)
  })

  test("works after the provider changed its keys", async () => {
    await server.person("Jana")
    provider.knows("jana-1", verified("jana@example.com"))
    expect(await logIn("jana-1")).toBe("/")
    await provider.register(server.url, provisioning.url)
    expect(await logIn("jana-1")).toBe("/")
  })
})

describe("with provision", () => {
  test("an unknown person with a verified address gets an account with the provider's name, username and department", async () => {
    provider.knows(
      "kai-1",
      verified("kai.larsen@example.com", { name: "Kai Larsen", preferred_username: "KaiL", department: "support" }),
    )
    const browser = createBrowserJar()
    expect(await logIn("kai-1", { at: provisioning, browser })).toBe("/")
    expect(await meIn(browser, provisioning)).toMatchObject({ username: "kail", name: "Kai Larsen", dept: "support" })
    expect(await audited(3, provisioning)).toEqual([
      ["user_created", null, "kail", "support"],
      ["identity_linked", "kail", "kail", provider.issuer],
      ["login", "kail", null, "single sign-on"],
    ])
    const login = { username: "kail", password: "" }
    expect((await provisioning.anybody.submit("/login", login)).status).toBe(401)

    provider.knows("kai-2", { email: "kai2@example.com", email_verified: false })
    expect(await logIn("kai-2", { at: provisioning })).toBe("/login?error=unverified_email")
  })

  test("a taken, reserved or unusable username gets a suffix or is replaced by another", async () => {
    const cases: [claims: Claims, username: string, name: string][] = [
      [{ preferred_username: "lia", name: "Lia" }, "lia", "Lia"],
      [{ preferred_username: "Lia" }, "lia-2", "lia"],
      [{ preferred_username: "l\u0456a", name: "L\u0000" }, "l\u0456a-3", "l\u0456a"], // it looks like lia, and with a 2 like the one before
      [{ preferred_username: "ws" }, "ws-2", "ws"],
      [{ preferred_username: "Ana Sousa/Lima?" }, "ana-sousa-lima", "ana-sousa-lima"],
      [{ preferred_username: "mia@corp.example" }, "mia", "mia"],
      [{ preferred_username: "???" }, "user", "user"],
      [{ preferred_username: "n".repeat(500) }, "n".repeat(55), "n".repeat(55)],
      [{ given_name: "Noa", family_name: "Reis" }, "case8", "case8"], // names of another scope
    ]
    for (const [index, [claims, username, name]] of cases.entries()) {
      provider.knows(`case-${index}`, verified(`case${index}@example.com`, claims))
      const browser = createBrowserJar()
      expect([claims, await logIn(`case-${index}`, { at: provisioning, browser })]).toEqual([claims, "/"])
      expect(await meIn(browser, provisioning)).toMatchObject({ username, name, dept: "unassigned" })
    }
  })

  test("each log-in updates the department from the provider, but makes or removes no superuser", async () => {
    const states = async (department: unknown) => {
      provider.knows("oto-1", verified("oto@example.com", { preferred_username: "oto", department }))
      const browser = createBrowserJar()
      expect(await logIn("oto-1", { at: provisioning, browser })).toBe("/")
      return (await meIn(browser, provisioning))?.dept
    }
    expect(await states("management")).toBe("unassigned")
    expect(await states("Support")).toBe("support") // the spelling that is there already
    expect(await states(["logistics", "support"])).toBe("logistics")
    for (const unusable of ["management", " Management", "", "x".repeat(101), "a\u202Eb", 5, undefined])
      expect(await states(unusable)).toBe("logistics")
    expect((await audited(50, provisioning)).filter(([action]) => action === "dept_changed")).toEqual([
      ["dept_changed", "oto", "oto", "unassigned -> support"],
      ["dept_changed", "oto", "oto", "support -> logistics"],
    ])

    await provisioning.app.users.correct(operator, await userNamed("oto", provisioning), { dept: "management" })
    expect(await states("sales")).toBe("management")
  })

  test("an address that no account can have is refused", async () => {
    provider.knows("odd", verified("a b@example.com"))
    expect(await logIn("odd", { at: provisioning })).toBe("/login?error=incomplete")
  })
})

describe("log-out", () => {
  test("goes to the provider with the session's ID token, once, and from there to the log-in page", async () => {
    await server.person("Pia")
    provider.knows("pia-1", verified("pia@example.com"))
    const browser = createBrowserJar()
    await logIn("pia-1", { browser })
    await browser.go(`${server.url}/logout`, { method: "POST" })

    const there = new URL(await browser.sentTo(`${server.url}/oidc/logout`))
    expect(there.origin + there.pathname).toBe(`${provider.issuer}/session/end`)
    expect(there.searchParams.get("post_logout_redirect_uri")).toBe(`${server.url}/login`)
    expect(there.searchParams.get("id_token_hint")?.split(".")).toHaveLength(3)
    expect(await browser.sentTo(`${server.url}/oidc/logout`)).toBe(`${server.url}/login`)
  })

  test("ends the session here too, but not when another site leads there", async () => {
    await server.person("Rui")
    provider.knows("rui-1", verified("rui@example.com"))
    const browser = createBrowserJar()
    await logIn("rui-1", { browser })

    await browser.go(`${server.url}/oidc/logout`, { headers: { "sec-fetch-site": "cross-site" } })
    expect(await meIn(browser)).toMatchObject({ username: "rui" })

    const cookie = `session_id=${browser.cookie("session_id")}`
    await browser.go(`${server.url}/oidc/logout`, { headers: { "sec-fetch-site": "same-origin" } })
    expect(browser.cookie("session_id")).toBeUndefined()
    expect((await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })).status).toBe(401)
  })

  test("of a session with a password ends it and goes to the log-in page", async () => {
    const rita = await server.person("Rita")
    const browser = createBrowserJar()
    const body = new URLSearchParams({ username: "rita", password: rita.password })
    await browser.go(`${server.url}/login`, { method: "POST", body })
    expect(await meIn(browser)).toMatchObject({ username: "rita" })

    expect(await browser.sentTo(`${server.url}/oidc/logout`)).toBe(`${server.url}/login`)
    expect(await meIn(browser)).toBeNull()
  })

  test("cannot be triggered by another site: its cookie is strict, that of a log-in lax, and scripts can read neither", async () => {
    await server.person("Quin")
    provider.knows("quin-1", verified("quin@example.com"))
    const browser = createBrowserJar()
    const begun = await browser.go(`${server.url}/oidc/login`)
    const [flow = ""] = begun.headers.getSetCookie()
    expect(flow).toMatch(/^oidc_flow=[\w.-]+; Max-Age=600; Path=\/oidc; HttpOnly; SameSite=Lax$/)

    const back = await provider.logIn(browser, begun.headers.get("location") ?? "", "quin-1")
    const cookies = (await browser.go(back)).headers.getSetCookie()
    expect(cookies.find((cookie) => cookie.startsWith("oidc_hint"))).toMatch(
      /^oidc_hint=[\w.-]+; Max-Age=604800; Path=\/oidc; HttpOnly; SameSite=Strict$/,
    )
    expect(cookies.find((cookie) => cookie.startsWith("session_id"))).toMatch(
      /^session_id=[0-9a-f]{32}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })
})

test("without a provider its addresses do not exist", async () => {
  await using plain = await startTestServer()
  for (const path of ["/oidc/login", "/oidc/callback?code=1&state=2", "/oidc/logout"])
    expect(await plain.anybody.get(path)).toEqual({ status: 404, body: { detail: "Not Found" } })
})
