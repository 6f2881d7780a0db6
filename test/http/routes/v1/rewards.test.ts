import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { pictures } from "../../../support/pictures.ts"
import { startTestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

/** Ana with 100 points that Bruno gave her and a budget of 50, and a mug for 40 points. */
async function company(reward: object = {}) {
  const server = await startTestServer({})
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const admin = await server.admin()
  await admin.post("/api/v1/grants", { usernames: ["bruno"], value: 100 })
  await bruno.post("/api/v1/transactions", { to: "ana", value: 100 })
  await admin.post("/api/v1/grants", { usernames: ["ana"], value: 50 })
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 40, stock: 3, ...reward })
  return {
    server,
    admin,
    ana,
    bruno,
    redeem: (json: object = {}, headers: Record<string, string> = {}) =>
      ana.call("POST", "/api/v1/rewards/1/redemptions", { json, headers }),
    purse: async () => (await ana.get("/api/v1/me")).body,
    /** Moves the clock to when mails are due, and waits until so many were sent. */
    async mails(count: number) {
      server.clock.advance(server.app.config.email.debug_delay_seconds * 1000)
      server.app.worker.wake()
      await until(() => server.mails.length >= count)
      return server.mails.map(({ to, subject, text }) => ({ to, subject, text }))
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test("a superuser adds and changes a reward; members see active ones, and whether their points are enough", async () => {
  await using here = await company()
  const { admin, ana } = here
  const lunch = {
    name: "Lunch",
    description: "With the boss",
    cost: 101,
    limit_per_person: 1,
    money_value: 12.5,
    emoji: "🍝",
  }

  expect(await admin.post("/api/v1/rewards", lunch)).toMatchObject({
    status: 201,
    body: { ...lunch, id: 2, picture: null, stock: null, active: true },
  })
  const [mug, second] = [
    {
      ...{ id: 1, name: "Mug", description: null, cost: 40, picture: null, stock: 3, limit_per_person: null },
      ...{ active: true, money_value: null, taxable: false, emoji: null },
    },
    { ...lunch, id: 2, picture: null, stock: null, active: true, taxable: false },
  ]
  expect((await ana.get("/api/v1/rewards")).body).toEqual({
    items: [
      { ...mug, affordable: true, redeemed: 0, wished: false, wishes: null },
      { ...second, affordable: false, redeemed: 0, wished: false, wishes: null },
    ],
  })

  expect(
    await admin.patch("/api/v1/rewards/2", { cost: 100, description: null, active: false, taxable: true }),
  ).toMatchObject({
    status: 200,
    body: { ...second, cost: 100, description: null, active: false, taxable: true },
  })
  expect((await ana.get<{ items: object[] }>("/api/v1/rewards")).body.items).toMatchObject([{ id: 1 }])
  expect((await admin.get<{ items: object[] }>("/api/v1/rewards")).body.items).toMatchObject([{ id: 1 }, { id: 2 }])
  expect(await ana.post("/api/v1/rewards/2/redemptions", {})).toEqual(refused(404, "Reward not found"))
  expect(await here.server.app.store.audit.list({ action: "reward_changed", limit: 9 })).toMatchObject([
    { who: "admin", detail: "Lunch" },
  ])
})

test("a wish is the person's own; whoever keeps the catalogue sees how many people wish for what", async () => {
  await using here = await company()
  const { admin, ana, bruno } = here
  await admin.post("/api/v1/rewards", { name: "Secret", cost: 5, active: false })
  const wish = (who: typeof ana, method: "PUT" | "DELETE", id = 1) => who.call(method, `/api/v1/rewards/${id}/wish`)
  const seenBy = async (who: typeof ana) =>
    (await who.get<{ items: { wished: boolean; wishes: number | null }[] }>("/api/v1/rewards")).body.items.map(
      ({ wished, wishes }) => [wished, wishes],
    )

  expect(await wish(ana, "PUT")).toMatchObject({ status: 200, body: { id: 1, wished: true, wishes: null } })
  expect(await wish(ana, "PUT")).toMatchObject({ status: 200, body: { wished: true } })
  expect(await wish(bruno, "PUT")).toMatchObject({ status: 200 })
  expect(await seenBy(ana)).toEqual([[true, null]])
  expect(await seenBy(admin)).toEqual([
    [false, 2],
    [false, 0],
  ])
  expect(await wish(bruno, "DELETE")).toMatchObject({ status: 200, body: { wished: false, wishes: null } })
  expect(await wish(bruno, "DELETE")).toMatchObject({ status: 200, body: { wished: false } })
  expect((await seenBy(admin))[0]).toEqual([false, 1])
  expect(await wish(ana, "PUT", 2)).toEqual(refused(404, "Reward not found"))

  await here.redeem()
  expect(await seenBy(ana)).toEqual([[false, null]])
})

test("a reward with an invalid field is refused with the field's name", async () => {
  await using here = await company()

  for (const [body, field] of [
    [{ name: "", cost: 1 }, "name"],
    [{ name: "a\nb", cost: 1 }, "name"],
    [{ name: "Mug", cost: 0 }, "cost"],
    [{ name: "Mug", cost: 1, stock: -1 }, "stock: an integer from 0 to 1000000000 or null"],
    [{ name: "Mug", cost: 1, stock: 9007199254740991 }, "stock"], // a declined redemption could not be put back
    [{ name: "Mug", cost: 1, stock: 1.5 }, "stock"],
    [{ name: "Mug", cost: 1, limit_per_person: 0 }, "limit_per_person"],
    [{ name: "Mug", cost: 1, description: "x".repeat(1001) }, "description"],
    [{ name: "Mug", cost: 1, emoji: "" }, "emoji: one emoji"],
    [{ name: "Mug", cost: 1, emoji: "☕☕" }, "emoji: one emoji"],
    [{ name: "Mug", cost: 1, emoji: "1" }, "emoji: one emoji"],
    [{ name: "Mug", cost: 1, emoji: "a" }, "emoji: one emoji"],
    [{ name: "Mug" }, "cost"],
    [{ name: "Mug", cost: 1, money_value: -1 }, "money_value"],
    [
      { name: "Mug", cost: 1, money_value: 0.0001 },
      "money_value: a number from 0 to 1000000000 with at most three decimals",
    ],
    [{ name: "Mug", cost: 1, money_value: 1_000_000_001 }, "money_value"],
    [{ name: "Mug", cost: 1, money_value: "5" }, "money_value"],
    [{ name: "Mug", cost: 1, taxable: 1 }, "taxable"],
  ] as const)
    expect(await here.admin.post("/api/v1/rewards", body)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(field) },
    })
  expect(await here.admin.patch("/api/v1/rewards/1", { stock: -1 })).toMatchObject({ status: 422 })
  expect(await here.admin.patch("/api/v1/rewards/99", { stock: 1 })).toEqual(refused(404, "Reward not found"))
  expect(await here.ana.patch("/api/v1/rewards/99", { stock: 1 })).toEqual(refused(404, "Reward not found"))
  expect(await here.ana.patch("/api/v1/rewards/1", { stock: 1 })).toEqual(refused(403, "Not a super user"))
})

test("a picture is stored on this server and shown to everybody", async () => {
  await using here = await company()
  const { png } = pictures
  const upload = (bytes: Uint8Array<ArrayBuffer>) =>
    fetch(`${here.server.url}/api/v1/rewards/1/picture`, {
      method: "PUT",
      headers: { authorization: `Bearer ${here.admin.accessToken}` },
      body: bytes,
    })

  const { picture } = (await (await upload(png)).json()) as { picture: string }
  expect(picture).toMatch(/^\/api\/v1\/avatars\/[0-9a-f]{64}$/)
  expect(await (await fetch(here.server.url + picture)).bytes()).toEqual(png)
  expect((await here.ana.get("/api/v1/rewards")).body).toMatchObject({ items: [{ picture }] })
  expect((await upload(new Uint8Array([1, 2, 3]))).status).toBe(422)
})

test("a redemption takes points received from others, not from a budget, and one item from the stock", async () => {
  await using here = await company()
  const redeem = here.redeem

  expect(await redeem({ comment: "  Blue, please " })).toMatchObject({
    status: 201,
    body: {
      id: 4,
      reward: 1,
      reward_name: "Mug",
      username: "ana",
      name: "Ana",
      cost: 40,
      state: "requested",
      comment: "Blue, please",
      answer: null,
      answered_at: null,
      transaction: 4,
      replayed: false,
    },
  })
  expect(await here.purse()).toMatchObject({ balance: 110, received: 100, redeemable: 60 })
  expect(await redeem()).toMatchObject({ status: 201, body: { comment: null } })
  expect(await here.purse()).toMatchObject({ balance: 70, redeemable: 20 })
  expect(await redeem()).toEqual(refused(400, "Not enough redeemable points"))
  await here.ana.post("/api/v1/transactions", { to: "bruno", value: 40 })
  expect(await redeem()).toEqual(refused(400, "Insufficient balance"))
  expect((await here.ana.get("/api/v1/rewards")).body).toMatchObject({
    items: [{ stock: 1, affordable: false, redeemed: 2 }],
  })
  expect((await here.ana.get("/api/v1/transactions?kind=redemption")).body).toMatchObject({
    items: [{ id: 5 }, { id: 4, reason: "Mug", from: { username: "ana" }, to: { username: "admin" }, value: 40 }],
  })
})

test("reversed points can no longer be redeemed", async () => {
  await using here = await company()
  await here.admin.post("/api/v1/transactions/2/reversal", { value: 70, reason: "a typing error" })

  expect(await here.redeem()).toEqual(refused(400, "Not enough redeemable points"))
})

test("admin, who receives the points of redemptions, cannot redeem", async () => {
  await using here = await company()
  const marta = await here.server.person("Marta", { dept: "management" })
  await marta.post("/api/v1/transactions", { to: "admin", value: 1000 })

  expect(await here.admin.post("/api/v1/rewards/1/redemptions", {})).toEqual(
    refused(400, "Not enough redeemable points"),
  )
  expect((await here.admin.get("/api/v1/me")).body).toMatchObject({ redeemable: 0 })
})

test("nothing can be redeemed beyond the stock or the limit", async () => {
  await using here = await company({ cost: 1, stock: 2 })
  await here.admin.post("/api/v1/rewards", { name: "Lunch", cost: 1, limit_per_person: 1 })
  const lunch = () => here.ana.post("/api/v1/rewards/2/redemptions", {})

  expect([(await here.redeem()).status, (await here.redeem()).status]).toEqual([201, 201])
  expect(await here.redeem()).toEqual(refused(409, "Out of stock"))
  expect((await lunch()).status).toBe(201)
  expect(await lunch()).toEqual(refused(409, "Limit reached"))
})

test("of a hundred simultaneous requests, no more succeed than points, stock and limit allow", async () => {
  await using here = await company({ cost: 30, stock: 50, limit_per_person: 40 })

  const answers = await Promise.all(Array.from({ length: 100 }, () => here.redeem()))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(97)
  expect(await here.purse()).toMatchObject({ balance: 60, redeemable: 10 })
})

test("a request repeated under its Idempotency-Key is one redemption, whatever happened in between", async () => {
  await using here = await company()
  const once = { "idempotency-key": "one" }
  const first = await here.redeem({ comment: "Blue" }, once)

  await here.admin.post("/api/v1/redemptions/4/rejection", {})
  expect(await here.redeem({ comment: "Blue" }, once)).toMatchObject({
    status: 201,
    body: { ...(first.body as object), state: "declined", answered_at: expect.any(String), replayed: true },
  })
  expect(await here.redeem({ comment: "Red" }, once)).toEqual(
    refused(409, "This Idempotency-Key was used for another request"),
  )
})

test("a redemption is fulfilled or declined once; a declined one returns points and stock", async () => {
  await using here = await company()
  await here.redeem()
  await here.redeem()

  expect(await here.admin.post("/api/v1/redemptions/4/fulfilment", { answer: "On your desk" })).toMatchObject({
    status: 200,
    body: { id: 4, state: "fulfilled", answer: "On your desk", answered_at: expect.stringMatching(/Z$/) },
  })
  expect(await here.admin.post("/api/v1/redemptions/5/rejection", { answer: "Sold out" })).toMatchObject({
    status: 200,
    body: { id: 5, state: "declined", answer: "Sold out" },
  })
  for (const path of ["4/fulfilment", "4/rejection", "5/fulfilment", "5/rejection"])
    expect(await here.admin.post(`/api/v1/redemptions/${path}`, {})).toEqual(
      refused(409, "This redemption has been answered"),
    )
  expect(await here.admin.post("/api/v1/redemptions/99/rejection", {})).toEqual(refused(404, "Redemption not found"))
  expect(await here.ana.post("/api/v1/redemptions/4/rejection", {})).toEqual(refused(403, "Not a super user"))
  expect(await here.purse()).toMatchObject({ balance: 110, redeemable: 60 })
  expect((await here.ana.get("/api/v1/rewards")).body).toMatchObject({ items: [{ stock: 2, redeemed: 1 }] })
  expect((await here.ana.get("/api/v1/transactions?kind=refund")).body).toMatchObject({
    items: [{ id: 6, value: 40, reason: "Mug", from: { username: "admin" }, to: { username: "ana" } }],
  })
})

test("members list their own redemptions, superusers everybody's", async () => {
  await using here = await company({ cost: 1, stock: null })
  await here.redeem()
  await here.redeem()
  await here.admin.post("/api/v1/redemptions/4/fulfilment")
  const idsIn = ({ body }: { readonly body: unknown }) =>
    (body as { items: { id: number }[] }).items.map(({ id }) => id)

  expect(idsIn(await here.ana.get("/api/v1/redemptions"))).toEqual([5, 4])
  expect(idsIn(await here.bruno.get("/api/v1/redemptions"))).toEqual([])
  expect(idsIn(await here.admin.get("/api/v1/redemptions?state=fulfilled"))).toEqual([4])
  expect(idsIn(await here.admin.get("/api/v1/redemptions?username=bruno"))).toEqual([])
  const page = await here.ana.get<{ next: string }>("/api/v1/redemptions?size=1")
  expect(page.body).toMatchObject({ items: [{ id: 5 }], next: "5" })
  expect((await here.ana.get("/api/v1/redemptions?size=1&before=5")).body).toMatchObject({
    items: [{ id: 4 }],
    next: null,
  })
  expect(await here.bruno.get("/api/v1/redemptions?username=ana")).toEqual(
    refused(403, "You can only see your own redemptions"),
  )
  expect(await here.bruno.get("/api/v1/redemptions?username=nobody")).toEqual(refused(404, "User not found"))
  expect(await here.ana.get("/api/v1/redemptions?state=lost")).toMatchObject({ status: 422 })
})

test("the CSV file has all redemptions, what payroll needs of them, and no formula", async () => {
  await using here = await company({ money_value: 12.5, taxable: true })
  await here.redeem({ comment: "=1+1" })
  await here.admin.patch("/api/v1/rewards/1", { money_value: 13, taxable: false })
  await here.redeem()
  await here.admin.post("/api/v1/redemptions/4/fulfilment", { answer: "On your desk" })
  const today = new Date(here.server.clock.now()).toISOString().slice(0, 10)

  const fetchFile = (query = "") =>
    fetch(`${here.server.url}/api/v1/redemptions.csv${query}`, {
      headers: { authorization: `Bearer ${here.admin.accessToken}` },
    })
  const answer = await fetchFile()
  const lines = (await answer.text()).split("\r\n")
  expect(lines[0]).toBe(
    "id,date,time_zone,username,name,reward,cost,state,comment,answer,answered_at,dept,money_value,taxable,fulfilled_on",
  )
  expect(lines[1]).toMatch(/^5,[^,]+,UTC,ana,Ana,Mug,40,requested,,,,[^,]+,13,no,$/)
  expect(lines[2]).toMatch(/^4,[^,]+,UTC,ana,Ana,Mug,40,fulfilled,'=1\+1,On your desk,[^,]+,[^,]+,12.5,yes,/)
  expect(lines[2]?.split(",").at(-1)).toBe(today)
  expect((await (await fetchFile("?separator=;")).text()).split("\r\n")[2]).toContain(";12,5;yes;")
  expect(answer.headers.get("content-disposition")).toContain("redemptions-")
})

test("a request is mailed once to the superusers, and its answer once to the member", async () => {
  await using here = await company()
  await here.server.person("Marta", { dept: "management" })
  await here.redeem({ comment: "Blue,\nplease" })

  const [request] = await here.mails(1)
  expect(request).toMatchObject({ to: "marta@example.com", subject: "Ana asks for Mug - Rewards" })
  expect(request?.text).toContain("Ana (ana) redeemed 40 points for Mug.\n\n> Blue,\n> please\n")
  expect(request?.text).toContain(`${here.server.url}/admin/rewards`)

  await here.admin.post("/api/v1/redemptions/4/fulfilment", { answer: "On your desk" })
  await here.redeem()
  await here.admin.post("/api/v1/redemptions/5/rejection")
  const sent = await here.mails(3)
  expect(sent.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
    ["ana@example.com", "Your request for Mug was declined - Rewards"],
    ["ana@example.com", "Your reward: Mug - Rewards"],
    ["marta@example.com", "Ana asks for Mug - Rewards"],
  ])
  expect(sent.find(({ subject }) => subject.includes("reward:"))?.text).toContain("> On your desk")
  expect(sent.find(({ subject }) => subject.includes("declined"))?.text).toContain("You have your 40 points back.")
})

test("if admin is the only superuser, admin gets the mail; a request that was already answered is not mailed", async () => {
  await using here = await company()
  await here.redeem()
  await here.admin.post("/api/v1/redemptions/4/fulfilment")
  await here.redeem()

  const sent = await here.mails(2)
  expect(sent.map(({ to }) => to).toSorted()).toEqual(["admin@localhost", "ana@example.com"])
})

test("a superuser who redeems gets no mail about their own request, and neither does one who has left", async () => {
  await using here = await company()
  const [marta] = [
    await here.server.person("Marta", { dept: "management" }),
    await here.server.person("Otto", { dept: "management" }),
    await here.server.person("Rita", { dept: "management" }),
  ]
  await here.admin.patch("/api/v1/users/rita", { active: false })
  await here.admin.post("/api/v1/transactions", { to: "marta", value: 40 })

  expect(await marta.post("/api/v1/rewards/1/redemptions", {})).toMatchObject({ status: 201 })

  expect((await here.mails(1)).map(({ to }) => to)).toEqual(["otto@example.com"])
})

test("mail about redemptions is in the reader's language; somebody who chose no mail gets only answers to their own requests", async () => {
  await using here = await company()
  const [marta, otto] = [
    await here.server.person("Marta", { dept: "management" }),
    await here.server.person("Otto", { dept: "management" }),
  ]
  await marta.patch("/api/v1/me", { language: "pt" })
  await otto.patch("/api/v1/me", { mail: "off" })
  await here.ana.patch("/api/v1/me", { language: "pt", mail: "off" })

  await here.redeem({ comment: "Blue" })
  const [request] = await here.mails(1)
  expect(request).toMatchObject({ to: "marta@example.com", subject: "Ana pede: Mug - Rewards" })
  expect(request?.text).toContain("Ana (ana) trocou 40 pontos por Mug.\n\n> Blue\n")
  await here.admin.post("/api/v1/redemptions/4/rejection", { answer: "Sold out" })
  const answer = (await here.mails(2)).find(({ to }) => to === "ana@example.com")
  expect(answer?.subject).toBe("Seu pedido de Mug foi recusado - Rewards")
  expect(answer?.text).toContain(
    "Olá, Ana,\n\nseu pedido de Mug foi recusado. Você recebeu de volta 40 pontos.\n\n> Sold out\n",
  )
})
