import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"

interface Entry {
  readonly id: number
  readonly at: string
  readonly who: string | null
  readonly what: string
  readonly whom: string | null
  readonly before_values: Record<string, unknown> | null
  readonly after_values: Record<string, unknown> | null
  readonly detail: string | null
}

interface AuditPage {
  readonly items: readonly Entry[]
  readonly next: string | null
}

const audit = async (admin: Person, query = "") => (await admin.get<AuditPage>(`/api/v1/audit${query}`)).body.items

/** Old and new values of the newest entry about this. */
async function newest(admin: Person, what: string) {
  const [entry] = await audit(admin, `?what=${what}&size=1`)
  return [entry?.before_values, entry?.after_values]
}

test("a price that is lowered, used and raised again stays in the audit log, with every old and new value", async () => {
  await using server = await startTestServer()
  const [admin, rita, bruno] = [await server.admin(), await server.person("Rita"), await server.person("Bruno")]
  await admin.patch("/api/v1/users/rita", { duties: ["rewards"] })
  await server.grant(bruno, 10)
  await bruno.post("/api/v1/transactions", { to: "rita", value: 10 })
  await admin.post("/api/v1/rewards", { name: "Trip", cost: 4000, stock: 3, money_value: 400 })

  await rita.patch("/api/v1/rewards/1", { cost: 1, limit_per_person: null, name: "Trip" })
  const { body } = await rita.post<{ id: number }>("/api/v1/rewards/1/redemptions", {})
  await rita.patch("/api/v1/rewards/1", { cost: 4000, active: false, money_value: 399.5 })
  expect((await rita.post(`/api/v1/redemptions/${body.id}/fulfilment`, {})).status).toBe(409)

  const entries = await audit(admin, "?who=rita&what=reward_changed")
  expect(entries.map(({ who, before_values, after_values }) => [who, before_values, after_values])).toEqual([
    ["rita", { cost: 1, active: true, money_value: 400 }, { cost: 4000, active: false, money_value: 399.5 }],
    ["rita", { cost: 4000 }, { cost: 1 }],
  ])
  expect(await rita.get("/api/v1/audit")).toEqual(refused(403, "Not a super user"))
})

test("every change says the old and the new values of what changed, and of nothing else", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  const carla = await server.person("Carla", { dept: "support" })
  await server.grant(carla, 20)
  let reply = ""
  const changes: readonly [() => Promise<unknown>, string, object | null, object | null][] = [
    [
      () => admin.patch("/api/v1/programme", { reason: "required", most_to_one: { points: 20 } }),
      "programme_changed",
      { reason: "optional", most_to_one: { points: null, period: "month" } },
      { reason: "required", most_to_one: { points: 20, period: "month" } },
    ],
    [
      () => admin.patch("/api/v1/programme", { reason: "optional", point_value: { amount: 0.05, currency: "EUR" } }),
      "programme_changed",
      { reason: "required", point_value: null },
      { reason: "optional", point_value: { amount: 0.05, currency: "EUR" } },
    ],
    [
      () => admin.patch("/api/v1/programme", { point_value: null }),
      "programme_changed",
      { point_value: { amount: 0.05, currency: "EUR" } },
      { point_value: null },
    ],
    [
      () =>
        admin.post("/api/v1/allowances", {
          ...{ name: "Monthly", value: 50, mode: "add", period: "month", audience: { usernames: ["bruno", "ana"] } },
        }),
      "allowance_added",
      null,
      {
        ...{ name: "Monthly", value: 50, mode: "add", period: "month", on: 1, at: "09:00", reason: null },
        ...{ audience: { usernames: ["ana", "bruno"] }, starts_on: null, ends_on: null, catch_up: "latest" },
        active: true,
      },
    ],
    [
      () => admin.patch("/api/v1/allowances/1", { value: 5000, audience: { usernames: ["ana"] } }),
      "allowance_changed",
      { value: 50, audience: { usernames: ["ana", "bruno"] } },
      { value: 5000, audience: { usernames: ["ana"] } },
    ],
    [
      () => admin.patch("/api/v1/allowances/1", { active: false, audience: { dept: "sales" } }),
      "allowance_changed",
      { active: true, audience: { usernames: ["ana"] } },
      { active: false, audience: { dept: "sales" } },
    ],
    [
      () => admin.patch("/api/v1/departments/sales", { name: "trade" }),
      "dept_renamed",
      { name: "sales" },
      { name: "trade" },
    ],
    [
      () => admin.delete("/api/v1/allowances/1"),
      "allowance_removed",
      {
        ...{ name: "Monthly", value: 5000, mode: "add", period: "month", on: 1, at: "09:00", reason: null },
        ...{ audience: { dept: "trade" }, starts_on: null, ends_on: null, catch_up: "latest" },
        active: false,
      },
      null,
    ],
    [
      () => admin.patch("/api/v1/users/ana", { email: "a@example.com", birthday: "03-14", dept: "care" }),
      "profile_changed",
      { email: "ana@example.com", birthday: null },
      { email: "a@example.com", birthday: "03-14" },
    ],
    [async () => null, "dept_changed", { dept: "trade" }, { dept: "care" }],
    [
      () => admin.patch("/api/v1/users/ana", { manager: "bruno", duties: ["people"] }),
      "manager_changed",
      { manager: null },
      { manager: "bruno" },
    ],
    [async () => null, "duties_changed", { duties: [] }, { duties: ["people"] }],
    [() => bruno.patch("/api/v1/me", { bio: "Tea" }), "profile_changed", { bio: null }, { bio: "Tea" }],
    [
      () => bruno.patch("/user/bruno/", { avatar: "https://x.example/b.png", bio: null }),
      "profile_changed",
      { avatar: null, bio: "Tea" },
      { avatar: "https://x.example/b.png", bio: null },
    ],
    [
      () => admin.patch("/api/v1/users/ana", { active: false }),
      "user_deactivated",
      { active: true, duties: ["people"] },
      { active: false, duties: [] },
    ],
    [() => admin.patch("/api/v1/users/ana", { active: true }), "user_reactivated", { active: false }, { active: true }],
    [
      () =>
        admin.call("POST", "/api/v1/users/import", {
          body: "username,dept,active\nana,sales,no",
          headers: { "content-type": "text/csv" },
        }),
      "user_deactivated",
      { active: true },
      { active: false },
    ],
    [async () => null, "dept_changed", { dept: "care" }, { dept: "sales" }],
    [
      () => bruno.post("/api/v1/tokens", { name: "Script", scopes: ["read"] }),
      "token_created",
      null,
      { kind: "personal", name: "Script", scopes: ["read"], expires_at: null },
    ],
    [
      () => bruno.delete("/api/v1/tokens/1"),
      "token_revoked",
      { kind: "personal", name: "Script", scopes: ["read"], expires_at: null },
      null,
    ],
    [
      () => admin.post("/api/v1/rewards", { name: "Mug", cost: 5, emoji: "☕" }),
      "reward_created",
      null,
      {
        ...{ name: "Mug", description: null, cost: 5, stock: null, emoji: "☕", limit_per_person: null, active: true },
        ...{ money_value: null, taxable: false },
      },
    ],
    [
      async () => {
        await carla.post("/api/v1/transactions", { to: "bruno", value: 20 })
        await bruno.post("/api/v1/rewards/1/redemptions", {})
        await admin.post("/api/v1/redemptions/3/fulfilment", {})
      },
      "reward_fulfilled",
      { state: "requested" },
      { state: "fulfilled" },
    ],
    [
      async () => {
        await bruno.post("/api/v1/rewards/1/redemptions", {})
        await admin.post("/api/v1/redemptions/4/rejection", {})
      },
      "reward_declined",
      { state: "requested" },
      { state: "declined" },
    ],
    [
      async () => {
        const { body } = await bruno.post<{ id: number }>("/api/v1/recognitions/2/replies", { text: "Thank you" })
        reply = `/api/v1/replies/${body.id}`
        await admin.patch(reply, { hidden: true })
      },
      "reply_hidden",
      { hidden: false },
      { hidden: true },
    ],
    [() => admin.patch(reply, { hidden: false }), "reply_shown", { hidden: true }, { hidden: false }],
  ]
  void ana

  for (const [change, what, before, after] of changes) {
    server.clock.advance(60_000) // what people change of themselves in a minute is one entry
    await change()
    expect([what, ...(await newest(admin, what))]).toEqual([what, before, after] as never)
  }
})

test("values of webhooks tell a changed address by its hash, and hold no secret", async () => {
  await using server = await startTestServer({
    settings: { "webhooks.allow_private": "127.0.0.0/8", "webhooks.ports": "9" },
  })
  const admin = await server.admin()
  const address = (path: string) => `http://127.0.0.1:9/${path}`
  const { body } = await admin.post<{ secret: string }>("/api/v1/webhooks", { url: address("s3cret-one") })
  expect(body.secret).toStartWith("whsec_")

  await admin.patch("/api/v1/webhooks/1", { url: address("s3cret-two"), description: "Chat" })
  const [before, after] = await newest(admin, "webhook_changed")
  expect(before).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 \([0-9a-f]{8}\)$/), description: null })
  expect(after).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 \([0-9a-f]{8}\)$/),
    description: "Chat",
  })
  expect(after?.url).not.toBe(before?.url)
  const { body: rotated } = await admin.post<{ secret: string }>("/api/v1/webhooks/1/secret")
  await admin.patch("/api/v1/webhooks/1", { active: false, events: ["user.created"] })
  expect(await newest(admin, "webhook_changed")).toEqual([
    { active: true, events: [] },
    { active: false, events: ["user.created"] },
  ])
  await admin.delete("/api/v1/webhooks/1")
  expect(await newest(admin, "webhook_removed")).toMatchObject([{ format: "standard", description: "Chat" }, null])

  const text = JSON.stringify(await server.app.store.audit.list({ limit: 100 }))
  for (const secret of [body.secret, rotated.secret, "s3cret", "whsec_"]) expect(text).not.toContain(secret)
})

test("the log is read in pages, newest first, by who, what, day and text", async () => {
  await using server = await startTestServer({ settings: { "service.time_zone": "America/Sao_Paulo" } })
  const ana = await server.person("Ana")
  const patch = async (bio: string) => (await server.as(ana)).patch("/api/v1/me", { bio })
  const today = new Date(server.clock.now() - 3 * 3_600_000).toISOString().slice(0, 10)
  await patch("Tea")
  server.clock.advance(48 * 3_600_000)
  await patch("ÄPFEL")
  const admin = await server.admin()
  const bios = (items: readonly Entry[]) => items.map(({ after_values }) => after_values?.bio)

  const [entry] = await audit(admin, "?who=ana&what=profile_changed")
  expect(entry).toEqual({
    ...{ id: expect.any(Number) as never, at: new Date(server.clock.now()).toISOString(), who: "ana" },
    ...{ what: "profile_changed", whom: "ana", before_values: { bio: "Tea" }, after_values: { bio: "ÄPFEL" } },
    ...{ address: "127.0.0.1", way: "http", count: 1, detail: null },
  } as never)
  expect(bios(await audit(admin, "?who=ana&q=äpf"))).toEqual(["ÄPFEL"])
  expect(bios(await audit(admin, "?what=profile_changed&q=tea"))).toEqual(["ÄPFEL", "Tea"])
  expect(bios(await audit(admin, `?what=profile_changed&to=${today}`))).toEqual(["Tea"])
  expect(bios(await audit(admin, `?what=profile_changed&from=${today}`))).toEqual(["ÄPFEL", "Tea"])
  const first = (await admin.get<AuditPage>("/api/v1/audit?what=profile_changed&size=1")).body
  expect(bios(first.items)).toEqual(["ÄPFEL"])
  const second = (await admin.get<AuditPage>(`/api/v1/audit?what=profile_changed&size=1&before=${first.next}`)).body
  expect([bios(second.items), second.next]).toEqual([["Tea"], null])

  for (const query of ["what=lost", "from=2026-13-01", "to=x", "size=0", "before=x", `q=${"x".repeat(101)}`])
    expect([query, (await admin.get(`/api/v1/audit?${query}`)).status]).toEqual([query, 422])
  expect(await audit(admin, "?who=nobody-of-this-name")).toEqual([])
})

test("the file has the same entries, no formula, and is itself in the log", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await ana.patch("/api/v1/me", { bio: "=1+1" })

  const answer = await admin.get<string>("/api/v1/audit.csv?what=profile_changed")

  const [header, line, ...rest] = answer.body.replace("\uFEFF", "").split("\r\n")
  expect(header).toBe("id,at,who,what,whom,before_values,after_values,address,way,count,detail")
  expect(line).toMatch(
    /^\d+,[^,]+Z,ana,profile_changed,ana,"\{""bio"":null\}","\{""bio"":""'=1\+1""\}",127\.0\.0\.1,http,1,$/,
  )
  expect(rest).toEqual([""])
  expect((await audit(admin, "?what=exported")).map(({ who, detail }) => [who, detail])).toEqual([["admin", "audit"]])
  expect(await ana.get("/api/v1/audit.csv")).toEqual(refused(403, "Not a super user"))
})

test("after an erasure no value about the person is left, and an allowance names the placeholder", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  await ana.patch("/api/v1/me", { bio: "I live at Lindenweg 1" })
  await admin.patch("/api/v1/users/ana", { birthday: "03-14", email: "private@example.com" })
  await admin.patch("/api/v1/users/bruno", { manager: "ana" })
  const allowance = { name: "A", value: 5, mode: "add", period: "month", audience: { usernames: ["ana"] } }
  await admin.post("/api/v1/allowances", allowance)
  await admin.patch("/api/v1/users/ana", { active: false })
  expect(await personalValues(server, "ana")).toContain("Lindenweg")

  expect((await admin.post("/api/v1/users/ana/erasure", { reasons: "all" })).status).toBe(200)

  const text = JSON.stringify(await audit(admin, "?size=100"))
  for (const word of ["Lindenweg", "03-14", "private@example.com", '"ana"']) expect(text).not.toContain(word)
  expect((await newest(admin, "allowance_added"))[1]?.audience).toEqual({
    usernames: [expect.stringMatching(/^erased-\d+$/)],
  })
})

/** What the export of somebody's data has of the log. */
async function personalValues(server: TestServer, username: string): Promise<string> {
  const { body } = await (await server.admin()).get<{ audit: object[] }>(`/api/v1/users/${username}/data`)
  return JSON.stringify(body.audit)
}
