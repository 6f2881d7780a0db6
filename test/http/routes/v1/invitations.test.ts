import { expect, test } from "bun:test"
import { ok, refused } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

const settings = { "email.debug_delay_seconds": "0" }

const person = (name: string, dept = "sales") => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  dept,
  invite: false,
})

async function arrived({ mails, app }: TestServer, count: number) {
  app.worker.wake()
  await until(() => mails.length >= count)
  return mails.slice(-count).map(({ to, subject }) => `${to}: ${subject}`)
}

test("whoever never logged in is invited again from the page of the account; others are not", async () => {
  await using server = await startTestServer({ settings })
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await admin.post("/api/v1/users", person("Bo"))

  expect(await admin.get("/api/v1/users/bo")).toMatchObject({ body: { has_logged_in: false } })
  expect(await admin.post("/api/v1/users/bo/invitation")).toEqual(ok({ count: 1 }))
  expect(await arrived(server, 1)).toEqual(["bo@example.com: Your account at Rewards"])
  expect(await admin.get(`/api/v1/users/${ana.username}`)).toMatchObject({ body: { has_logged_in: true } })
  expect(await admin.post(`/api/v1/users/${ana.username}/invitation`)).toEqual(
    refused(409, "This person has logged in already; a forgotten password is reset on the log-in page"),
  )
  await admin.patch("/api/v1/users/bo", { active: false })
  expect(await admin.post("/api/v1/users/bo/invitation")).toEqual(refused(404, "User not found"))
  expect((await server.app.store.audit.list({ limit: 9, action: "invited" })).map(({ whom }) => whom)).toEqual(["bo"])
})

test("an account at a provider counts as a log-in", async () => {
  await using server = await startTestServer({ settings })
  const admin = await server.admin()
  await admin.post("/api/v1/users", person("Bo"))
  const bo = await server.app.store.users.byUsername("bo")
  const link = { issuer: "https://login.example.com", subject: "1", userId: bo?.id ?? 0, linkedAt: 1 }
  const entry = { action: "identity_linked", who: "bo", whom: "bo", way: "http", address: null, detail: null } as const
  await server.app.store.identities.link(link, { ...entry, at: 1, count: 1, before: null, after: null })

  expect(await admin.post("/api/v1/users/bo/invitation")).toMatchObject({ status: 409 })
  expect(await admin.post("/api/v1/users/invitations")).toEqual(ok({ count: 0 }))
})

test("everybody who never logged in is invited again, once each, in place of what waits or was given up", async () => {
  await using server = await startTestServer({ settings })
  const [admin] = [await server.admin(), await server.person("Ana")]
  for (const name of ["Bo", "Cy", "Di"]) await admin.post("/api/v1/users", person(name))
  await server.app.worker.stop(0)

  expect(await admin.post("/api/v1/users/invitations")).toEqual(ok({ count: 3 }))
  expect(await admin.post("/api/v1/users/invitations")).toEqual(ok({ count: 3 }))
  expect(await admin.post("/api/v1/users/cy/invitation")).toEqual(ok({ count: 1 }))
  const waiting = await server.app.store.jobs.mail({ before: undefined, limit: 100 })
  expect(waiting.map(({ to }) => to).toSorted()).toEqual(["bo@example.com", "cy@example.com", "di@example.com"])
  const entries = await server.app.store.audit.list({ limit: 9, action: "invited" })
  expect(entries.map(({ whom, count }) => [whom, count])).toEqual([
    [null, 6],
    ["cy", 1],
  ])
})

test("with the duty people one invites those whom one maintains", async () => {
  await using server = await startTestServer({ settings })
  const [admin, ana, cy] = [await server.admin(), await server.person("Ana"), await server.person("Cy")]
  await admin.patch("/api/v1/users/ana", { duties: ["people"] })
  await admin.post("/api/v1/users", person("Bo"))
  await admin.post("/api/v1/users", person("Eva", "management"))

  expect(await ana.post("/api/v1/users/bo/invitation")).toEqual(ok({ count: 1 }))
  expect(await ana.post("/api/v1/users/eva/invitation")).toEqual(refused(403, "Not a super user"))
  expect(await ana.post("/api/v1/users/invitations")).toEqual(ok({ count: 1 }))
  for (const path of ["/api/v1/users/bo/invitation", "/api/v1/users/invitations"])
    expect(await cy.post(path)).toEqual(refused(403, "Not a super user"))
})

test("while nobody gets mail, a superuser gets the links that it would bring, and nobody else, and no token", async () => {
  await using server = await startTestServer({ settings })
  const [admin, ana, cy] = [await server.admin(), await server.person("Ana"), await server.person("Cy")]
  await admin.patch("/api/v1/users/ana", { duties: ["people"] })
  await admin.post("/api/v1/users", person("Bo"))
  const linksOf = async (query = "") =>
    (await admin.get<{ items: { username: string; name: string; url: string }[] }>(`/api/v1/mail/links${query}`)).body
      .items

  const [link, ...others] = await linksOf()
  expect([link?.username, link?.name, others]).toEqual(["bo", "Bo", []])
  const chosen = { password: "the password of Bo", password_confirm: "the password of Bo" }
  const token = new URL(link?.url ?? "").searchParams.get("pwd_reset_token")
  expect(await server.anybody.post(`/user/bo/password/?pwd_reset_token=${token}`, chosen)).toMatchObject({
    status: 200,
  })
  expect(await linksOf()).toEqual([])
  expect(await linksOf("?username=cy")).toEqual([
    { username: "cy", name: "Cy", url: expect.stringContaining(`${server.url}/reset-password?pwd_reset_token=`) },
  ])
  expect(await admin.get("/api/v1/mail/links?username=nobody")).toEqual(refused(404, "User not found"))
  for (const other of [ana, cy]) expect(await other.get("/api/v1/mail/links")).toEqual(refused(403, "Not a super user"))
  const token2 = await admin.post<{ token: string }>("/api/v1/tokens", { name: "t", scopes: ["admin"] })
  expect(
    (await fetch(`${server.url}/api/v1/mail/links`, { headers: { authorization: `Bearer ${token2.body.token}` } }))
      .status,
  ).toBe(403)
})

test("where mail is sent, nobody gets links", async () => {
  await using server = await startTestServer({
    settings: { "email.debug_mode": "false", "email.smtp_server": "127.0.0.1", "email.smtp_port": "9" },
  })
  const admin = await server.admin()
  await server.app.worker.stop(0)
  await admin.post("/api/v1/users", person("Bo"))

  expect(await admin.get("/api/v1/mail/links")).toEqual(ok({ items: [] }))
  expect(await admin.get("/api/v1/service")).toMatchObject({ body: { sends_mail: true } })
})

test("an invitation names who invites, with the face, and an imported one too", async () => {
  await using server = await startTestServer({ settings })
  const admin = await server.admin()
  await admin.post("/api/v1/users", { ...person("Bo"), invite: true })
  await arrived(server, 1)
  const headers = { "content-type": "text/csv" }
  const body = "name,email,dept\nCy,cy@example.com,sales\n"
  await admin.call("POST", "/api/v1/users/import?invite=true", { body, headers })
  await arrived(server, 2)
  await server.app.invitations.inviteAll({ user: null, who: "olga", way: "command line", address: null })
  await arrived(server, 4)

  const [one, two, three] = server.mails
  for (const mail of [one, two]) {
    expect(mail?.text).toContain("You now have an account at Rewards. Admin has invited you.")
    expect(mail?.html).toContain('<span class="face" aria-hidden="true">A</span><strong>Admin</strong>')
    expect(mail?.text).toEndWith("\n-- \nYou get this mail because you have an account at Rewards.\n")
  }
  expect(three?.text).toContain("You now have an account at Rewards. Your user name is")
  expect(three?.html).not.toContain('class="face"')
})
