import { expect, test } from "bun:test"
import { createServerApp } from "../../../../src/app/server-app.ts"
import { defaultProgramme } from "../../../../src/domain/programme/model.ts"
import { createProgramme } from "../../../../src/domain/programme/programme.ts"
import { createLog } from "../../../../src/support/log.ts"
import { ok } from "../../../support/answers.ts"
import { openTestApp } from "../../../support/app.ts"
import { startTestServer } from "../../../support/server.ts"

const path = "/api/v1/programme"

test("everybody reads the programme; a new one has the tags of the settings, and defaults", async () => {
  await using server = await startTestServer({ settings: { "recognition.tags": "care,courage" } })
  const ana = await server.person("Ana")

  expect(await ana.get(path)).toEqual(
    ok({
      ...defaultProgramme,
      tags: [
        { name: "care", emoji: null, description: null },
        { name: "courage", emoji: null, description: null },
      ],
    }),
  )
})

test("a superuser changes the given fields, and those of an object; the audit log has what they were", async () => {
  await using server = await startTestServer({})
  const admin = await server.admin()

  const changed = await admin.patch(path, {
    points_name: { one: " star ", many: "stars" },
    amounts: [50, 5],
    reason: "required",
    reason_min: 10,
    tag: "required",
    tags: [{ name: "care", emoji: "💚", description: " Looks after others " }, { name: "courage" }],
    most_to_one: { points: 200 },
    amounts_shown: "concerned",
    leaderboard: "superusers",
    give_from: "budget",
    occasions: { birthday: { active: true }, anniversary: { text: "{years}, {name}!", points: 0 } },
    unknown: 1,
  })
  const after = {
    points_name: { one: "star", many: "stars" },
    amounts: [5, 50],
    reason: "required",
    reason_min: 10,
    tag: "required",
    tags: [
      { name: "care", emoji: "💚", description: "Looks after others" },
      { name: "courage", emoji: null, description: null },
    ],
    most_to_one: { points: 200, period: "month" },
    amounts_shown: "concerned",
    leaderboard: "superusers",
    give_from: "budget",
    occasions: {
      ...defaultProgramme.occasions,
      birthday: { ...defaultProgramme.occasions.birthday, active: true },
      anniversary: { points: 0, text: "{years}, {name}!", active: false },
    },
    point_value: null,
  }
  expect(changed).toEqual(ok(after))
  expect(await admin.patch(path, { most_to_one: { points: null } })).toMatchObject(
    ok({ most_to_one: { points: null, period: "month" }, amounts: [5, 50] }),
  )
  expect(await admin.patch(path, {})).toMatchObject({ status: 200 })

  const entries = await server.app.store.audit.list({ action: "programme_changed", limit: 10 })
  expect(entries.map(({ who, detail }) => [who, detail])).toEqual([
    ["admin", expect.stringContaining('points_name.one: "point" -> "star"; points_name.many: "points" -> "stars"; ')],
    ["admin", "most_to_one.points: 200 -> null"],
  ])
})

test("of two who change the programme at the same time the second is told, and can look before trying again", async () => {
  await using server = await startTestServer({})
  const [admin, ana] = [await server.admin(), await server.person("Ana", { dept: "management" })]
  const change = (person: typeof admin, json: object, tag: string) =>
    person.request("PATCH", path, { json, headers: { "if-match": tag } })
  const tagIn = ({ headers }: Response) => headers.get("etag") ?? ""
  const seen = tagIn(await admin.request("GET", path))
  expect(seen).toMatch(/^"[0-9a-z]+"$/)

  const first = await change(ana, { reason_min: 5 }, seen)
  expect(tagIn(first)).not.toBe(seen)
  const second = await change(admin, { leaderboard: "off" }, seen)
  expect([second.status, second.headers.get("error-code")]).toEqual([412, "programme_changed"])
  expect(await admin.get(path)).toMatchObject(ok({ reason_min: 5, leaderboard: "everyone" }))

  const looked = tagIn(await admin.request("GET", path))
  expect(looked).toBe(tagIn(first))
  for (const tag of [looked, "*"]) expect((await change(admin, { leaderboard: "off" }, tag)).status).toBe(200)
  expect(await admin.get(path)).toMatchObject(ok({ reason_min: 5, leaderboard: "off" }))
})

test("what is wrong in the body is said first, also to somebody who has not seen the last change", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const refusal = async (json: object) => {
    const response = await admin.request("PATCH", path, { json, headers: { "if-match": '"stale"' } })
    return [response.status, response.headers.get("error-code")]
  }

  expect(await refusal({ amounts: [5, 5] })).toEqual([422, "invalid"])
  expect(await refusal({ amounts: "many" })).toEqual([422, "invalid"])
  expect(await refusal({ amounts: [5, 6] })).toEqual([412, "programme_changed"])
})

test.each([
  ["points_name.one", { points_name: { one: "" } }],
  ["points_name.many", { points_name: { many: "a".repeat(31) } }],
  ["amounts", { amounts: [] }],
  ["amounts", { amounts: [5, 5] }],
  ["amounts.0", { amounts: [0] }],
  ["reason", { reason: "never" }],
  ["reason_min", { reason_min: 501 }],
  ["tag", { tag: "required" }],
  ["tags.0.name", { tags: [{ name: "two words" }] }],
  ["tags.1.name", { tags: [{ name: "care" }, { name: "​" }] }],
  ["tags.0.emoji", { tags: [{ name: "care", emoji: "💚💚" }] }],
  ["tags.0.emoji", { tags: [{ name: "care", emoji: "a" }] }],
  ["tags.0.description", { tags: [{ name: "care", description: "a".repeat(201) }] }],
  ["tags", { tags: [{ name: "care" }, { name: "care" }] }],
  ["tags", { tags: Array.from({ length: 51 }, (_, index) => ({ name: `t${index}` })) }],
  ["most_to_one.points", { most_to_one: { points: 0 } }],
  ["most_to_one.period", { most_to_one: { period: "year" } }],
  ["amounts_shown", { amounts_shown: "nobody" }],
  ["leaderboard", { leaderboard: "on" }],
  ["give_from", { give_from: "earned" }],
  ["occasions.birthday.text", { occasions: { birthday: { text: " " } } }],
  ["occasions.birthday.text", { occasions: { birthday: { text: "{years} years" } } }],
  ["occasions.anniversary.points", { occasions: { anniversary: { points: -1 } } }],
  ["occasions.first_day.active", { occasions: { first_day: { active: "yes" } } }],
])("a wrong %s is 422, names its field, and changes nothing: %j", async (field, json) => {
  await using server = await startTestServer({})
  const admin = await server.admin()
  expect(await admin.patch(path, { reason_min: 7, ...json })).toMatchObject({
    status: 422,
    body: { detail: expect.stringMatching(new RegExp(`^${field}: `)) },
  })
  expect(await admin.get(path)).toEqual(ok(defaultProgramme))
})

test("other processes follow a change within a second, and read nothing in between", async () => {
  await using server = await startTestServer({})
  let [now, reads] = [0, 0]
  const { store } = server.app
  const counting = {
    ...store.programme,
    read: () => {
      reads += 1
      return store.programme.read()
    },
  }
  const other = createProgramme({
    store: { programme: counting },
    clock: server.clock.now,
    firstTags: [],
    elapsed: () => now,
  })
  for (let asked = 0; asked < 100; asked += 1) expect((await other.current()).reason).toBe("optional")
  await (await server.admin()).patch(path, { reason: "required" })

  now = 499
  expect((await other.current()).reason).toBe("optional")
  expect(reads).toBe(1)
  now = 500
  expect((await other.current()).reason).toBe("required")
  expect(reads).toBe(2)
})

test("the tags of the settings are ignored once there is a programme, with a warning", async () => {
  await using opened = await openTestApp({ settings: { "recognition.tags": "care" } })
  const { config, clock } = opened.app
  let logged = ""
  const log = createLog((text) => {
    logged += text
  })
  const later = await createServerApp(
    { ...config, recognition: { ...config.recognition, tags: ["courage"] } },
    { clock, log },
  )

  expect((await later.programme.current()).tags.map(({ name }) => name)).toEqual(["care"])
  await later.close()
  log.flush()
  expect(logged).toContain("recognition.tags is ignored")
  expect(opened.logged()).not.toContain("recognition.tags")
})
