import { expect, test } from "bun:test"
import { ok } from "../../support/answers.ts"
import { type Person, startTestServer, type TestServer } from "../../support/server.ts"
import { until } from "../../support/until.ts"

const day = 86_400_000

/** Enqueues what is due, lets the worker send it, and returns the mails. */
async function delivered({ app, clock, mails }: TestServer) {
  const before = mails.length
  await app.mailDispatch.enqueueDue()
  app.worker.wake()
  await until(async () => {
    const { jobs } = await app.store.health.read(clock.now())
    return jobs.available + jobs.running === 0
  })
  return mails.slice(before)
}

/** Ana has 100 points, and Bruno and Ana chose `mail`. Nothing that happened before is to be told. */
async function staffed(server: TestServer, choice: object = { mail: "each" }) {
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 100)
  for (const person of [ana, bruno])
    expect(await person.patch("/api/v1/me", choice)).toMatchObject({ status: 200, body: choice })
  await delivered(server)
  return { ana, bruno }
}

const thank = async (sender: Person, value: number, more: object = {}) =>
  expect(await sender.post("/transaction/bruno/", { value, ...more })).toMatchObject({ status: 201 })

const atOnce = { "email.debug_delay_seconds": "0" }

test("people who chose it are told of a recognition at once, in text and HTML, with reason, tags and how to unsubscribe", async () => {
  await using server = await startTestServer({ settings: { ...atOnce, "recognition.tags": "teamwork" } })
  const { ana, bruno } = await staffed(server)
  await thank(ana, 10, { reason: "For <b>the</b> talk,\nand the questions", tags: ["teamwork"], private: true })

  const [mail, ...others] = await delivered(server)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: "bruno@example.com", subject: "Ana thanked you: 10 points" })
  expect(mail?.text).toContain("> For <b>the</b> talk,\n> and the questions\n#teamwork\n")
  expect(mail?.html).toContain("For &lt;b&gt;the&lt;/b&gt; talk,<br>and the questions")
  expect(mail?.html).toContain("prefers-color-scheme: dark")
  const { body } = await bruno.get<{ items: { id: number }[] }>("/api/v1/feed")
  const recognition = `${server.url}/recognition/${body.items[0]?.id}`
  expect(mail?.text).toContain(`See what people say:\n${recognition}\n`)
  expect(mail?.html).toContain(`<a class="button" href="${recognition}">`)
  expect(mail?.unsubscribeUrl).toStartWith(`${server.url}/unsubscribe?token=`)
  expect(mail?.text).toContain(mail?.unsubscribeUrl ?? "no link")
  expect(await delivered(server)).toEqual([])
})

test("mail calls points what the programme calls them, in every language; the name of a new one is that of each language", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, bruno } = await staffed(server)
  const admin = await server.admin()
  const subjects = async (value: number) => {
    await thank(ana, value)
    return (await delivered(server)).map(({ subject }) => subject)
  }
  await admin.patch("/api/v1/programme", { points_name: { one: "star", many: "stars" } })
  expect(await subjects(1)).toEqual(["Ana thanked you: 1 star"])
  expect(await subjects(2)).toEqual(["Ana thanked you: 2 stars"])
  await bruno.patch("/api/v1/me", { language: "pt" })
  expect(await subjects(3)).toEqual(["Ana agradeceu a você: 3 stars"])
  await admin.patch("/api/v1/programme", { points_name: { one: "point", many: "points" } })
  expect(await subjects(4)).toEqual(["Ana agradeceu a você: 4 pontos"])
})

test("each of several people who were thanked at once gets a mail of their own", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, bruno } = await staffed(server)
  const carla = await server.person("Carla")
  await carla.patch("/api/v1/me", { mail: "each" })
  await delivered(server)
  const thanks = { to: [carla.username, bruno.username], value: 10, reason: "For the fair", private: true }
  expect(await ana.post("/api/v1/transactions", thanks)).toMatchObject({ status: 201 })

  const mails = await delivered(server)
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ["carla@example.com", "Ana thanked you: 10 points"],
    ["bruno@example.com", "Ana thanked you: 10 points"],
  ])
  for (const { text } of mails) expect(text).toContain("> For the fair")
})

test("the receiver is told who added points, with the words of whoever thanked first, at once or in the digest", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, bruno } = await staffed(server)
  const elena = await server.person("Elena")
  await server.grant(elena, 50)
  await thank(ana, 10, { reason: "For the fair" })
  await delivered(server)
  const add = async (value: number) =>
    expect(await elena.post("/api/v1/recognitions/3/points", { value })).toMatchObject({ status: 201 })

  await add(5)
  const [mail, ...others] = await delivered(server)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: "bruno@example.com", subject: "Elena added 5 points for you" })
  expect(mail?.text).toContain("Elena agrees with Ana and added 5 points for you.")
  expect(mail?.text).toContain("> For the fair")

  await bruno.patch("/api/v1/me", { mail: "daily", language: "pt" })
  await add(1)
  server.clock.advance(day)
  const [digest] = await delivered(server)
  expect(digest?.text).toContain("Ana, e mais 1 ponto de Elena")
  expect(digest?.subject).toContain("3 vezes")
})

test("a mail is in the language of the person, or else of the service", async () => {
  await using server = await startTestServer({ settings: { ...atOnce, "service.language": "pt" } })
  const { ana, bruno } = await staffed(server)
  await thank(ana, 1)
  expect(await delivered(server)).toMatchObject([{ subject: "Ana agradeceu a você: 1 ponto" }])
  await bruno.patch("/api/v1/me", { language: "en" })
  await thank(ana, 2)
  expect(await delivered(server)).toMatchObject([{ subject: "Ana thanked you: 2 points" }])
})

test("no mail is sent for a recognition taken back meanwhile, to inactive people, or to people who want none", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, bruno } = await staffed(server)
  const caller = await server.admin()
  await server.app.worker.stop(0)

  await thank(ana, 3)
  await server.app.mailDispatch.enqueueDue()
  const id = await server.app.store.ledger.lastId()
  await caller.post(`/api/v1/transactions/${id}/reversal`, { reason: "by mistake" })
  const contents = server.app.mailContents
  expect(await contents.thanks({ transactionId: id })).toBeNull()

  await thank(ana, 4)
  const next = await server.app.store.ledger.lastId()
  expect(await contents.thanks({ transactionId: next })).toMatchObject({ content: { from: "Ana", value: 4 } })
  await bruno.patch("/api/v1/me", { mail: "off" })
  expect(await contents.thanks({ transactionId: next })).toBeNull()
  await bruno.patch("/api/v1/me", { mail: "daily" })
  await caller.patch("/api/v1/users/bruno", { active: false })
  expect(await contents.thanks({ transactionId: next })).toBeNull()
})

test("a daily mail at 8 sums up the day before; without recognitions there is none", async () => {
  await using server = await startTestServer({ settings: { ...atOnce, "service.time_zone": "America/Sao_Paulo" } })
  const { ana } = await staffed(server, { mail: "daily" })
  const daily = async () => (await delivered(server)).filter(({ subject }) => subject.includes("yesterday"))
  await thank(ana, 10, { reason: "First" })
  await thank(ana, 20)
  await server.grant({ username: "bruno" }, 5)
  expect(await daily()).toEqual([])

  server.clock.advance(day + 2 * 3_600_000 - 1) // 08:00 in São Paulo is 11:00 in UTC, and it began at 09:00
  expect(await daily()).toEqual([])
  server.clock.advance(1)
  const mails = await daily()
  const mail = mails.find(({ to }) => to === "bruno@example.com")
  expect(mails.map(({ to }) => to).toSorted()).toEqual(["ana@example.com", "bruno@example.com"])
  expect(mail).toMatchObject({ subject: "You were thanked 3 times yesterday, with 35 points" })
  expect(mail?.text).toMatch(/Ana: 10 points\n> First\nhttp:\S+\/recognition\/\d+\n/)
  expect(await daily()).toEqual([])
  server.clock.advance(day)
  expect(await daily()).toEqual([])
})

test("a Monday mail shows the week and what is left to give; on the first of a month, superusers get a summary", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana } = await staffed(server)
  await server.person("Carla")
  await thank(ana, 10)
  await delivered(server)

  server.clock.advance(6 * day + 23 * 3_600_000) // Monday 2026-01-12, 08:00
  const mails = await delivered(server)
  expect(mails.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
    "admin@localhost: Your week",
    "ana@example.com: You were thanked once last week, with 100 points",
    "bruno@example.com: You were thanked once last week, with 10 points",
  ])
  expect(mails.find(({ to }) => to.startsWith("ana"))?.text).toContain("You have 90 points to give.")
  expect(await delivered(server)).toEqual([])

  server.clock.advance(20 * day) // Sunday 2026-02-01
  const summaries = (await delivered(server)).filter(({ subject }) => subject.startsWith("Recognition"))
  expect(summaries).toMatchObject([{ to: "admin@localhost", subject: "Recognition in January 2026" }])
  expect(summaries[0]?.text).toContain("2 people thanked 2 people: 2 times, with 110 points.")
  expect(summaries[0]?.text).toContain("1 person was not thanked in that month.")
  expect(summaries[0]?.text).toContain(`${server.url}/admin/insights`)
})

/** Bruno, Carla and Dora report to Ana. Bruno was thanked on the first day, and Dora joins on the day that is given. */
async function managed(server: TestServer, choice: object, joined: string) {
  const { ana, bruno } = await staffed(server, choice)
  const [carla, dora] = [await server.person("Carla"), await server.person("Dora")]
  const admin = await server.admin()
  for (const { username } of [bruno, carla, dora])
    await admin.patch(`/api/v1/users/${username}`, { manager: ana.username })
  await admin.patch(`/api/v1/users/${dora.username}`, { joined })
  await thank(ana, 10)
  await delivered(server)
  return { ana, bruno, carla, dora }
}

const toTeam = (mails: TestServer["mails"]) => mails.filter(({ text }) => /\/team\n/.test(text))

test("after a quarter its figures, the nicest words and a link to the page go to those who took part, in their language", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, bruno } = await staffed(server)
  await bruno.patch("/api/v1/me", { language: "pt" })
  await thank(ana, 10, { reason: "For the talk" })
  await thank(ana, 2, { reason: "Something that stays between us, with more words", private: true })
  await delivered(server)
  server.clock.advance(86 * day - 3_600_000) // 1 April, 08:00

  const recaps = (await delivered(server))
    .filter(({ to, text }) => to !== "admin@localhost" && text.includes("/recap/"))
    .toSorted((one, other) => (one.to < other.to ? -1 : 1))

  expect(recaps.map(({ to, subject }) => [to, subject])).toEqual([
    ["ana@example.com", "Your first quarter of 2026"],
    ["bruno@example.com", "Seu primeiro trimestre de 2026"],
  ])
  const [toAna, toBruno] = recaps
  expect(toAna?.text).toContain(
    "In these three months you were thanked once, by 1 person, with 100 points.\n\nYou thanked others 2 times.\n\n",
  )
  expect(toAna?.text).toContain(`See it all on one page:\n${server.url}/recap/2026-Q1\n`)
  expect(toBruno?.text).toContain(
    "Nesses três meses você recebeu 2 agradecimentos, de 1 pessoa, com 12 pontos.\n\nVocê não agradeceu a ninguém.\n\nAna\n> For the talk\n",
  )
  expect(toBruno?.text).not.toContain("between us")
  expect(await delivered(server)).toEqual([])
})

test("no mail about a quarter goes to whoever unsubscribed meanwhile, or if everything was taken back", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 100)
  await delivered(server)
  await thank(ana, 10)
  server.clock.advance(86 * day - 3_600_000)
  await server.app.mailDispatch.enqueueDue()
  await (await server.as(ana)).patch("/api/v1/me", { mail: "off" })
  const admin = await server.admin()
  expect(await admin.post("/api/v1/transactions/2/reversal", { reason: "By mistake" })).toMatchObject({ status: 201 })

  const told = (await delivered(server)).filter(({ text }) => text.includes("/recap/")).map(({ to }) => to)
  expect(told).not.toContain(ana.email)
  expect(told).not.toContain(bruno.email)
})

test("on the first of a month managers read whom of their team nobody thanked for 30 days, and newcomers are left out", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, carla } = await managed(server, { mail: "daily", language: "pt" }, "2026-01-20")
  server.clock.advance(27 * day) // 1 February, 09:00
  const [mail, ...others] = toTeam(await delivered(server))
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: ana.email, subject: "1 pessoa da sua equipe está sem agradecimentos há 30 dias" })
  expect(mail?.text).toContain(`Carla\n> Ainda sem agradecimentos.\n${server.url}/people/${carla.username}\n`)
  expect(mail?.text).not.toMatch(/Bruno|Dora/)

  await (await server.as(ana)).patch("/api/v1/me", { language: "en" })
  server.clock.advance(28 * day) // 1 March
  const [next] = toTeam(await delivered(server))
  expect(next?.subject).toBe("3 people of your team were not thanked for 30 days")
  expect(next?.text).toMatch(/Bruno\n> Last thanked on 5 January 2026\./)
  expect(next?.text).toMatch(/Dora\n> Not thanked yet\./)
  expect(next?.text).toContain(`Open your team:\n${server.url}/team\n`)
  expect(next?.unsubscribeUrl).toStartWith(`${server.url}/unsubscribe?token=`)
})

test("managers read of a newcomer after three weeks, whoever manages by then, and nobody who wants no mail", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const people = await managed(server, { mail: "each" }, "2025-12-19")
  server.clock.advance(4 * day)
  expect(toTeam(await delivered(server))).toMatchObject([
    { to: people.ana.email, subject: "Dora has been here for three weeks" },
  ])
  const { dora } = people
  const [ana, bruno] = [await server.as(people.ana), await server.as(people.bruno)] // their tokens have expired
  const admin = await server.admin()
  const { mailContents } = server.app
  const userId = (await server.app.store.users.byUsername(dora.username))?.id ?? 0
  await ana.post(`/transaction/${dora.username}/`, { value: 5 })
  await admin.patch(`/api/v1/users/${dora.username}`, { manager: people.bruno.username })
  expect(await mailContents.newcomer({ userId })).toMatchObject({
    user: { username: people.bruno.username },
    content: { name: "Dora", joined: "2025-12-19", thanked: 1 },
  })
  await bruno.patch("/api/v1/me", { mail: "off" })
  expect(await mailContents.newcomer({ userId })).toBeNull()
  const anasId = (await server.app.store.users.byUsername(people.ana.username))?.id ?? 0
  expect(await mailContents.team({ userId: anasId })).toMatchObject({ content: [{ username: "carla" }] })
  await ana.patch("/api/v1/me", { mail: "off" })
  expect(await mailContents.team({ userId: anasId })).toBeNull()
  await bruno.patch("/api/v1/me", { mail: "each" })
  await admin.patch(`/api/v1/users/${dora.username}`, { active: false })
  expect(await mailContents.newcomer({ userId })).toBeNull()
})

test("processes that look at the same moment send each mail once, and one continues where another stopped", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana } = await staffed(server)
  const { app } = server
  for (const value of [1, 2, 3]) await thank(ana, value)
  await Promise.all([app.mailDispatch, app.mailDispatch, app.mailDispatch].map((one) => one.enqueueDue()))
  expect((await delivered(server)).length + server.mails.length).toBeGreaterThanOrEqual(3)
  expect(server.mails.map(({ subject }) => subject).toSorted()).toEqual([
    "Ana thanked you: 1 point",
    "Ana thanked you: 2 points",
    "Ana thanked you: 3 points",
  ])

  // Cut off: everybody up to Ana has had a turn in the digest of this week.
  server.clock.advance(6 * day + 23 * 3_600_000)
  const reached = await app.store.jobs.progressOf("week")
  const anasId = (await app.store.users.byUsername("ana"))?.id
  await app.store.jobs.advance({ work: "week", from: reached, to: `2026-01-05 ${anasId}` }, [])
  const digests = (await delivered(server)).filter(({ subject }) => subject.includes("last week"))
  expect(digests.map(({ to }) => to)).toEqual(["bruno@example.com"])
})

test("a link in the mail unsubscribes with one POST without log-in; opening it only asks", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const { ana, bruno } = await staffed(server)
  await thank(ana, 1)
  const [mail] = await delivered(server)
  const url = mail?.unsubscribeUrl ?? ""
  const choice = async () => ((await bruno.get("/api/v1/me")).body as { mail: string }).mail

  const page = await fetch(url)
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(await page.text()).toContain('<form method="post"><button>Unsubscribe</button></form>')
  expect(await choice()).toBe("each")

  for (const wrong of [url.slice(0, -1), url.replace(/token=\d+/, "token=1"), url.replace(/token=.*/, "")]) {
    for (const method of ["GET", "POST"]) {
      const toProgram = await fetch(wrong, { method })
      expect([toProgram.status, await toProgram.json()]).toEqual([404, { detail: "Not Found" }])
      const toPerson = await fetch(wrong, { method, headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
      expect([toPerson.status, toPerson.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
      expect(await toPerson.text()).toContain("<h1>Rewards</h1>")
    }
  }
  expect(await choice()).toBe("each")

  const form = new FormData()
  form.set("List-Unsubscribe", "One-Click")
  const bodies = [new URLSearchParams({ "List-Unsubscribe": "One-Click" }), form]
  for (const body of bodies) {
    await bruno.patch("/api/v1/me", { mail: "each" })
    const answer = await fetch(url, { method: "POST", body })
    expect([answer.status, await choice()]).toEqual([200, "off"])
  }
  await thank(ana, 2)
  expect(await delivered(server)).toEqual([])
})

test("mail and language are chosen at /api/v1/me, and other values are refused", async () => {
  await using server = await startTestServer({ settings: atOnce })
  const ana = await server.person("Ana")
  expect(await ana.get("/api/v1/me")).toMatchObject(ok({ mail: "daily", language: null }))
  expect(await ana.patch("/api/v1/me", { mail: "off", language: "pt" })).toMatchObject(
    ok({ mail: "off", language: "pt" }),
  )
  expect(await ana.patch("/api/v1/me", { language: null })).toMatchObject(ok({ mail: "off", language: null }))
  for (const wrong of [{ mail: "weekly" }, { mail: null }, { language: "xx" }])
    expect(await ana.patch("/api/v1/me", wrong)).toMatchObject({ status: 422 })
})
