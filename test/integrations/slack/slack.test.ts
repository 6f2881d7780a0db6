import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { DomainError } from "../../../src/domain/errors.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { type Person, startTestServer, type TestServer } from "../../support/server.ts"
import { until } from "../../support/until.ts"
import { createSlackDouble, type SlackDouble } from "./double.ts"

const secret = "8f742231b10e8888abcd99yyyzzz85a5"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let slack: SlackDouble
let server: TestServer
let admin: Person
let triggers = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  slack = await createSlackDouble({
    UANA: { email: "Ana@example.com" },
    UBRUNO: { email: "bruno@example.com" },
    UCARLA: { email: "carla@elsewhere.example" },
    UDAVI: { email: "ana@example.com", isConfirmed: false },
    UBOT: { email: "bruno@example.com", isBot: true },
  })
  writeFileSync(`${folder.path}/ca.pem`, slack.ca)
  server = await startServerWithSlack()
  admin = await server.admin()
  await server.person("Ana")
  await server.person("Bruno")
  await admin.post("/api/v1/grants", { usernames: ["ana"], value: 100 })
})

function startServerWithSlack(more: Record<string, string> = {}) {
  return startTestServer({
    settings: {
      "slack.signing_secret": secret,
      "slack.bot_token": "xoxb-1",
      "slack.api_url": slack.apiUrl,
      "webhooks.allow_private": "127.0.0.0/8",
      "webhooks.ports": `${slack.port}`,
      "webhooks.ca": `${folder.path}/ca.pem`,
      "recognition.tags": "care,team",
      ...more,
    },
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  })
}

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await slack.close()
  await folder[Symbol.asyncDispose]()
})

beforeEach(() => {
  slack.take()
})

const hmac = (text: string, key = secret) => new Bun.CryptoHasher("sha256", key).update(text).digest("hex")

interface Asking {
  /** These replace some of Slack's. */
  readonly headers?: Record<string, string>
  readonly to?: TestServer
}

/** As Slack sends it. */
function ask(path: string, fields: Record<string, string>, { headers = {}, to = server }: Asking = {}) {
  const body = new URLSearchParams(fields).toString()
  const timestamp = `${Math.floor(to.clock.now() / 1000)}`
  return fetch(`${to.url}/integrations/slack/${path}`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${hmac(`v0:${timestamp}:${body}`)}`,
      ...headers,
    },
  })
}

/** Types `/give TEXT` and returns what Slack shows in the end. */
async function give(text: string, { user = "UANA", trigger = `t${++triggers}` } = {}) {
  const fields = { command: "/give", text, user_id: user, trigger_id: trigger, response_url: slack.responseUrl }
  const answered = slack.sentTo("/response").length
  const response = await ask("commands", fields)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ response_type: "ephemeral", text: "Sending…" })
  await until(() => slack.sentTo("/response").length > answered)
  const reply = JSON.parse(slack.sentTo("/response").at(-1)?.body ?? "{}")
  expect(reply.response_type).toBe("ephemeral")
  return reply.text as string
}

const newest = async () => (await server.app.store.ledger.entries({ limit: 1 }))[0]
const count = () => server.app.store.ledger.lastId()

describe("/give", () => {
  test("gives points with reason and tags to a person found in Slack by a confirmed e-mail address", async () => {
    expect(await give("<@UBRUNO|bruno> 25 for the review &amp; the cake #care")).toBe(
      "You gave Bruno 25 points. You have 75 left to give.",
    )
    expect(await newest()).toMatchObject({
      ...{ value: 25, sender: { username: "ana" }, receiver: { username: "bruno" } },
      note: { reason: "the review & the cake", tags: ["care"], isPrivate: false },
    })
    expect(slack.sentTo("/users.info").map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ["Bearer xoxb-1", "user=UANA"],
      ["Bearer xoxb-1", "user=UBRUNO"],
    ])
    expect(await give("@BRUNO 1")).toBe("You gave Bruno 1 point. You have 74 left to give.")
  })

  test("groups the digits of large numbers", async () => {
    await server.grant({ username: "ana" }, 1_000_000)
    expect(await give("@bruno 1000000")).toBe("You gave Bruno 1,000,000 points. You have 74 left to give.")
  })

  test("gives points once if Slack repeats the request", async () => {
    const before = await count()
    const first = await give("@bruno 2", { trigger: "same" })
    expect(await give("@bruno 2", { trigger: "same" })).toBe(first)
    expect(await count()).toBe(before + 1)
  })

  test("two requests without a trigger are two", async () => {
    const before = await count()
    for (const trigger of ["", ""]) expect(await give("@bruno 1", { trigger })).toContain("You gave Bruno 1 point.")
    expect(await count()).toBe(before + 2)
    await server.grant({ username: "ana" }, 2)
  })

  test("answers an error privately with what to do, and moves no points", async () => {
    const before = await count()
    const refusals: [string, string | undefined, string][] = [
      ["@bruno 1000", undefined, "You have 72 to give. Give less, or wait for your next allowance."],
      ["@bruno 1 #nonsense", undefined, "Choose among these tags: #care #team"],
      ["@nobody 1", undefined, "nobody has no account here."],
      ["<@UCARLA> 1", undefined, "Slack's UCARLA has no account here."],
      ["<@UNONE> 1", undefined, "UNONE has no account here."],
      ["@bruno 1", "UCARLA", "Nobody here has the e-mail address carla@elsewhere.example of your Slack profile."],
      ["@bruno 1", "UDAVI", "Slack knows no confirmed e-mail address of yours."],
      ["@bruno 1", "UBOT", "Slack knows no confirmed e-mail address of yours."],
      ["@bruno 0", undefined, "Nothing was sent: value"],
    ]
    for (const [text, user, words] of refusals) expect(await give(text, { user: user ?? "UANA" })).toStartWith(words)
    for (const text of ["bruno", "@bruno many", "25 @bruno"]) {
      const fields = { text, user_id: "UANA", trigger_id: "t", response_url: slack.responseUrl }
      expect(await (await ask("commands", fields)).json()).toMatchObject({
        text: expect.stringContaining("/give @ada 25"),
      })
    }
    expect(await count()).toBe(before)
  })

  test("handles an unavailable Slack, and says if the app is not set up completely", async () => {
    slack.failNext("users.info", "missing_scope")
    expect(await give("@bruno 1")).toContain("not set up completely")
    const before = await count()
    slack.failNext("users.info", "down")
    const fields = { text: "@bruno 3", user_id: "UANA", trigger_id: "later", response_url: slack.responseUrl }
    const told = slack.sentTo("/response").length
    await ask("commands", fields)
    await until(() => server.logged().some((line) => line.includes("job failed")))
    server.clock.advance(10_000)
    server.app.worker.wake()
    await until(() => slack.sentTo("/response").length > told)
    expect(await count()).toBe(before + 1)
  })

  test("says nothing while nobody knows whether the points moved, and then what happened", async () => {
    const { ledger } = server.app.store
    const { post } = ledger
    ledger.post = async (...request) => {
      ledger.post = post
      await post(...request)
      throw new DomainError("outcome_unknown")
    }
    const before = await count()
    const failures = () => server.logged().filter((line) => line.includes("job failed")).length
    const [told, failed] = [slack.sentTo("/response").length, failures()]
    const fields = { text: "@bruno 4", user_id: "UANA", trigger_id: "unknown", response_url: slack.responseUrl }
    await ask("commands", fields)
    await until(() => failures() > failed)
    expect(slack.sentTo("/response")).toHaveLength(told)
    server.clock.advance(10_000)
    server.app.worker.wake()
    await until(() => slack.sentTo("/response").length > told)
    expect(JSON.parse(slack.sentTo("/response").at(-1)?.body ?? "{}").text).toStartWith("You gave Bruno 4 points.")
    expect(await count()).toBe(before + 1)
  })
})

describe("the form", () => {
  const submit = (value: string, view: string | null = "V1") =>
    ask("interactions", {
      payload: JSON.stringify({
        type: "view_submission",
        user: { id: "UANA" },
        view: {
          ...{ id: view, callback_id: "give" },
          state: {
            values: {
              to: { to: { type: "users_select", selected_user: "UBRUNO" } },
              value: { value: { type: "number_input", value } },
              reason: { reason: { type: "plain_text_input", value: "for lunch" } },
              tags: { tags: { selected_options: [{ value: "team" }] } },
            },
          },
        },
      }),
    })

  test("opens with a bare /give and with the shortcut, and says so if Slack does not open it", async () => {
    const command = { text: "", user_id: "UANA", trigger_id: "T1", response_url: slack.responseUrl }
    const opened = await ask("commands", command)
    expect([opened.status, await opened.text()]).toEqual([200, ""])
    await ask("interactions", { payload: JSON.stringify({ type: "shortcut", callback_id: "give", trigger_id: "T2" }) })
    const calls = slack.sentTo("/views.open").map(({ body }) => new URLSearchParams(body))
    expect(calls.map((call) => call.get("trigger_id"))).toEqual(["T1", "T2"])
    const view = JSON.parse(calls[0]?.get("view") ?? "{}")
    expect(view).toMatchObject({ type: "modal", callback_id: "give", submit: { type: "plain_text", text: "Give" } })
    expect(view.blocks.map((block: { block_id: string }) => block.block_id)).toEqual(["to", "value", "reason", "tags"])
    slack.failNext("views.open", "expired_trigger_id")
    expect(await (await ask("commands", command)).json()).toMatchObject({
      text: expect.stringContaining("could not be opened"),
    })
  })

  test("gives points once for each form, and confirms in a direct message", async () => {
    const before = await count()
    for (let times = 0; times < 2; times += 1) expect(await (await submit("4")).text()).toBe("")
    await until(() => slack.sentTo("/chat.postMessage").length === 2)
    expect(await count()).toBe(before + 1)
    expect(await newest()).toMatchObject({ value: 4, note: { reason: "for lunch", tags: ["team"] } })
    const message = new URLSearchParams(slack.sentTo("/chat.postMessage")[0]?.body)
    expect([message.get("channel"), message.get("text")]).toEqual([
      "UANA",
      expect.stringContaining("You gave Bruno 4 points."),
    ])
  })

  test("two forms without an id are two requests", async () => {
    const [before, told] = [await count(), slack.sentTo("/chat.postMessage").length]
    for (const value of ["1", "2"]) await submit(value, null)
    await until(() => slack.sentTo("/chat.postMessage").length === told + 2)
    expect(await count()).toBe(before + 2)
  })

  test("shows a wrong number beside its field", async () => {
    const response = await submit("0", "V2")
    expect(await response.json()).toEqual({
      response_action: "errors",
      errors: { value: "Give a whole number of points, at least 1." },
    })
  })
})

test("answers and the form call points what the programme calls them, without markup", async () => {
  const call = (one: string, many: string) => admin.patch("/api/v1/programme", { points_name: { one, many } })
  await call("<!here> star", "<!here> stars and more of them")
  expect(await give("<@UBRUNO|bruno> 2 <!here> stars and more of them for the review")).toStartWith(
    "You gave Bruno 2 &lt;!here&gt; stars and more of them. You have ",
  )
  expect((await newest())?.note?.reason).toBe("the review")
  const dialog = { command: "/give", text: "", user_id: "UANA", trigger_id: `t${++triggers}` }
  await ask("commands", dialog)
  const view = JSON.parse(new URLSearchParams(slack.sentTo("/views.open").at(-1)?.body).get("view") ?? "{}")
  expect(view.title.text).toBe("Give <!here> stars and m")
  expect(view.blocks[1].label.text).toBe("<!here> stars and more of them")
  await call("point", "points")
})

test("the outcome is told in the language of the person, whatever the service speaks", async () => {
  const ana = (await server.app.store.users.byUsername("ana"))?.id ?? 0
  await server.app.store.mail.choose(ana, { language: "de" })
  expect(await give("@bruno 2 für das Review")).toStartWith("Du hast Bruno 2 Punkte gegeben.")
  expect(await give("@bruno 0")).toBe("Es wurde nichts gesendet: Eine ganze Zahl von 1 bis 9007199254740991")
  await server.app.store.mail.choose(ana, { language: null })
})

test("a refusal is told in the language of the service", async () => {
  await using portuguese = await startServerWithSlack({ "service.language": "pt" })
  for (const name of ["Ana", "Bruno"]) await portuguese.person(name)
  const command = { text: "@bruno 0", user_id: "UANA", trigger_id: "pt", response_url: slack.responseUrl }
  await ask("commands", command, { to: portuguese })
  await until(() => slack.sentTo("/response").length > 0)
  expect(JSON.parse(slack.sentTo("/response")[0]?.body ?? "{}").text).toBe(
    "Nada foi enviado: Um número inteiro de 1 a 9007199254740991",
  )
})

describe("a request that Slack did not sign", () => {
  const fields = { text: "@bruno 1", user_id: "UANA", trigger_id: "forged", response_url: "https://127.0.0.1/" }
  const body = new URLSearchParams(fields).toString()
  const at = (seconds: number) => `${Math.floor(server.clock.now() / 1000) + seconds}`
  const signed = (timestamp: string, key?: string) => ({
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${hmac(`v0:${timestamp}:${body}`, key)}`,
  })
  test("is refused", async () => {
    const before = await count()
    const forged = [
      signed(at(0), "another secret"),
      signed(at(-301)),
      signed(at(301)),
      { ...signed(at(0)), "x-slack-request-timestamp": at(-1) },
      { "x-slack-signature": "v0=" },
      { ...signed(at(0)), "x-slack-signature": `v0=${"é".repeat(64)}` }, // as many letters, but more bytes
      { "x-slack-request-timestamp": "now" },
    ]
    for (const headers of forged) {
      const response = await ask("commands", fields, { headers })
      expect([response.status, await response.json()]).toEqual([
        401,
        { detail: "The signature is not valid, or too old" },
      ])
    }
    expect((await ask("interactions", { payload: "{" })).status).toBe(400)
    expect(await count()).toBe(before)
    expect((await ask("commands", fields, { headers: signed(at(-299)) })).status).toBe(200)
  })

  test("is answered with 404 if Slack is not set up", async () => {
    await using other = await startTestServer()
    const response = await fetch(`${other.url}/integrations/slack/commands`, { method: "POST", body })
    expect(response.status).toBe(404)
  })
})
