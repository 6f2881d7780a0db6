import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { temporaryFolder } from "../../support/executable.ts"
import { type Person, startTestServer, type TestServer } from "../../support/server.ts"
import { until } from "../../support/until.ts"
import { botToken, createMattermostDouble, type MattermostDouble } from "./double.ts"

const [token, nextToken] = ["nezum4kpu3faiec7r7c5zt6tfy", "okwexkjpe7ygb8eq1ww58t483w"]
const idOf = (name: string) => name.padEnd(26, "x")

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let mattermost: MattermostDouble
let server: TestServer
let admin: Person
let triggers = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  mattermost = await createMattermostDouble({
    [idOf("ana")]: { username: "ana.silva", email: "Ana@example.com" },
    [idOf("bruno")]: { username: "bruno_b", email: "bruno@example.com" },
    [idOf("carla")]: { username: "carla", email: "carla@elsewhere.example", nickname: "Carla *C*" },
    [idOf("davi")]: { username: "davi", email: "davi@example.com", delete_at: 5 },
    [idOf("robot")]: { username: "robot", email: "bruno@example.com", is_bot: true },
    [idOf("guest")]: { username: "guest", email: "bruno@example.com", remote_id: idOf("far") },
    [idOf("hidden")]: { username: "hidden", email: "" },
  })
  writeFileSync(`${folder.path}/ca.pem`, mattermost.ca)
  server = await startServerWithMattermost()
  admin = await server.admin()
  for (const name of ["Ana", "Bruno", "Davi", "Carla"]) await server.person(name)
  await admin.post("/api/v1/grants", { usernames: ["ana"], value: 100 })
})

function startServerWithMattermost(more: Record<string, string> = {}) {
  return startTestServer({
    settings: {
      "mattermost.tokens": `${token},${nextToken}`,
      "mattermost.url": mattermost.url,
      "mattermost.bot_token": botToken,
      "webhooks.allow_private": "127.0.0.0/8",
      "webhooks.ports": `${mattermost.port}`,
      "webhooks.ca": `${folder.path}/ca.pem`,
      "recognition.tags": "care,team",
      ...more,
    },
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  })
}

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mattermost.close()
  await folder[Symbol.asyncDispose]()
})

beforeEach(() => {
  mattermost.take()
})

interface Typed {
  readonly text: string
  readonly user?: string
  readonly trigger?: string
  readonly to?: TestServer
  /** These replace some of Mattermost's; undefined leaves one out. */
  readonly headers?: Record<string, string | undefined>
  readonly fields?: Record<string, string | undefined>
}

const answers = "/hooks/commands/"

/** Sends the request of a slash command as Mattermost does. */
function type({ text, user = "ana", trigger = `t${++triggers}`, to = server, headers = {}, fields = {} }: Typed) {
  const form = {
    ...{ channel_id: "i3bb9xfyqt8rtbyshmyhgsj16c", channel_name: "town-square", command: "/give" },
    // Behind the address for browsers, which this server may not reach.
    response_url: `http://chat.example.com:8065${answers}${idOf(trigger.toLowerCase())}`,
    ...{ team_domain: "company", team_id: "tsb8crrn5tgqtedpkt81b4tcya", text, token },
    ...{ trigger_id: trigger, user_id: idOf(user), user_name: user, ...fields },
  }
  const documented = {
    "user-agent": "mattermost-10.5.0",
    accept: "application/json",
    authorization: `Token ${token}`,
    "content-type": "application/x-www-form-urlencoded",
    ...headers,
  }
  const present = (all: Record<string, string | undefined>) =>
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return fetch(`${to.url}/integrations/mattermost/commands`, {
    method: "POST",
    body: new URLSearchParams(present(form)).toString(),
    headers: present(documented),
  })
}

/** Types `/give TEXT` and returns what Mattermost shows in the end. */
async function give(text: string, more: Omit<Typed, "text"> = {}) {
  const before = mattermost.messagesAt(answers).length
  const response = await type({ text, ...more })
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toStartWith("application/json")
  expect(await response.json()).toEqual({ response_type: "ephemeral", text: "Sending…", skip_slack_parsing: true })
  await until(() => mattermost.messagesAt(answers).length > before)
  expect(mattermost.wrong).toEqual([])
  const answer = mattermost.messagesAt(answers).at(-1)
  expect(answer).toMatchObject({ response_type: "ephemeral", skip_slack_parsing: true })
  return answer?.text
}

const newest = async () => (await server.app.store.ledger.entries({ limit: 1 }))[0]
const count = () => server.app.store.ledger.lastId()

describe("/give", () => {
  test("gives points with reason and tags to a person who is mentioned by the name in Mattermost", async () => {
    expect(await give("@bruno_b 25 for the review &amp; the <cake> #care")).toBe(
      "You gave Bruno 25 points. You have 75 left to give.",
    )
    expect(await newest()).toMatchObject({
      ...{ value: 25, sender: { username: "ana" }, receiver: { username: "bruno" } },
      note: { reason: "the review &amp; the <cake>", tags: ["care"], isPrivate: false },
    })
    const asked = mattermost.received.filter(({ path }) => path.startsWith("/api/"))
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [`/api/v4/users/${idOf("ana")}`, `Bearer ${botToken}`],
      ["/api/v4/users/username/bruno_b", `Bearer ${botToken}`],
    ])
  })

  test("takes a name that Mattermost does not know for that of an account here", async () => {
    expect(await give("bruno@example.com 1")).toBe("You gave Bruno 1 point. You have 74 left to give.")
    expect(await give("@Bruno 1")).toBe("You gave Bruno 1 point. You have 73 left to give.")
  })

  test("gives points once if the request is repeated, and each time without a trigger", async () => {
    const before = await count()
    const first = await give("@bruno_b 1", { trigger: "same" })
    expect(await give("@bruno_b 1", { trigger: "same" })).toBe(first)
    expect(await count()).toBe(before + 1)
    for (const trigger of ["", ""]) expect(await give("@bruno_b 1", { trigger })).toContain("You gave Bruno 1 point.")
    expect(await count()).toBe(before + 3)
    await server.grant({ username: "ana" }, 3)
  })

  test("answers an error privately with what to do, without markup, and moves no points", async () => {
    const before = await count()
    const refusals: [string, string | undefined, string][] = [
      ["@bruno_b 1000", undefined, "You have 73 to give. Give less, or wait for your next allowance."],
      ["@bruno_b 1 #nonsense", undefined, "Choose among these tags: #care #team"],
      [
        "@no_body 1",
        undefined,
        "no\\_body has no account here. Choose somebody from the list that Mattermost shows after @.",
      ],
      // Somebody else has the account with this name.
      ["@carla 1", undefined, "Carla \\*C\\* has no account here."],
      ["../../users/me 1", undefined, "../../users/me has no account here."],
      ["@bruno_b 1", "carla", "Nobody here has the e-mail address carla@elsewhere.example of your Mattermost profile."],
      ["@bruno_b 1", "davi", "Mattermost knows no confirmed e-mail address of yours."],
      ["@bruno_b 1", "robot", "Mattermost knows no confirmed e-mail address of yours."],
      ["@bruno_b 1", "guest", "Mattermost knows no confirmed e-mail address of yours."],
      ["@bruno_b 1", "nobody", "Mattermost knows no confirmed e-mail address of yours."],
      ["@bruno_b 0", undefined, "Nothing was sent: value"],
    ]
    for (const [text, user, words] of refusals) expect(await give(text, { user: user ?? "ana" })).toStartWith(words)
    for (const text of ["", "bruno_b", "@bruno_b many", "25 @bruno_b", "help"]) {
      const response = await type({ text })
      expect(await response.json()).toMatchObject({ text: expect.stringContaining("/give @ada 25") })
    }
    expect(await count()).toBe(before)
  })

  test("says if Mattermost is not set up completely", async () => {
    const before = await count()
    const faults: [() => void, string][] = [
      [
        () => mattermost.answerNext("/api/v4/users/", { status: 401, body: '{"message":"Invalid session"}' }),
        "Invalid session",
      ],
      [
        () => mattermost.answerNext("/api/v4/users/", { body: "<!doctype html>" }),
        "does not answer as Mattermost does",
      ],
      [() => mattermost.answerNext("/api/v4/users/", { status: 301, headers: { location: "/" } }), "(301)"],
    ]
    for (const [arrange, reason] of faults) {
      arrange()
      expect(await give("@bruno_b 1")).toContain("not set up completely")
      expect(
        server
          .logged()
          .filter((line) => line.includes("cannot be given"))
          .at(-1),
      ).toContain(reason)
    }
    expect(await give("@hidden 1")).toContain("not set up completely")
    for (const response_url of [undefined, "https://elsewhere.example/hooks", `http://169.254.169.254${answers}../x`]) {
      const response = await type({ text: "@bruno_b 1", fields: { response_url } })
      expect(await response.json()).toMatchObject({ text: expect.stringContaining("not set up completely") })
    }
    expect(await count()).toBe(before)
  })

  test("tries again while Mattermost does not answer, and gives the points once", async () => {
    const before = await count()
    const failures = () => server.logged().filter((line) => line.includes("job failed")).length
    for (const [path, trigger] of [
      ["/api/v4/users/", "down"],
      [answers, "unanswered"],
    ] as const) {
      const [told, failed] = [mattermost.messagesAt(answers).length, failures()]
      mattermost.answerNext(path, { status: 503 })
      await type({ text: "@bruno_b 1", trigger })
      await until(() => failures() > failed)
      server.clock.advance(10_000)
      server.app.worker.wake()
      await until(() => mattermost.messagesAt(answers).length > told + (path === answers ? 1 : 0))
      expect(mattermost.messagesAt(answers).at(-1)?.text).toStartWith("You gave Bruno 1 point.")
    }
    expect(await count()).toBe(before + 2)
  })
})

describe("a request without a token of the settings", () => {
  test("is refused; any of the tokens is enough, in the header or in the form", async () => {
    const before = await count()
    const wrong = "xezum4kpu3faiec7r7c5zt6tfy"
    const both = (given: string | undefined): Pick<Typed, "headers" | "fields"> => ({
      headers: { authorization: given && `Token ${given}` },
      fields: { token: given },
    })
    for (const forged of [
      both(wrong),
      both(undefined),
      both(""),
      both(token.slice(1)),
      { headers: { authorization: `Token ${wrong}` } },
      { headers: { authorization: undefined }, fields: { token: `${token}é` } },
    ]) {
      const response = await type({ text: "@bruno_b 1", ...forged })
      expect([response.status, response.headers.get("error-code"), await response.json()]).toEqual([
        401,
        "bad_command_token",
        { detail: "The token of this command is not known here" },
      ])
    }
    expect(await count()).toBe(before)
    for (const valid of [
      both(nextToken),
      { headers: { authorization: undefined } },
      // As with an outgoing OAuth connection.
      { headers: { authorization: "Bearer from-elsewhere" } },
      { fields: { token: undefined } },
    ])
      expect((await type({ text: "help", ...valid })).status).toBe(200)
  })

  test("is answered with 404 if Mattermost is not set up", async () => {
    await using other = await startTestServer()
    expect((await type({ text: "help", to: other })).status).toBe(404)
  })
})

test("a channel of Mattermost takes recognitions by a webhook of the format slack, and nobody is mentioned", async () => {
  const webhook = { url: mattermost.hookUrl, format: "slack" }
  expect((await admin.post("/api/v1/webhooks", webhook)).status).toBe(201)
  await give("@bruno_b 2 for @all & <!channel> #care")
  await server.app.deliverer.deliverDue()
  expect(mattermost.messagesAt("/hooks/xrim")[0]?.text).toStartWith(
    "Ana thanked Bruno: 2 points\n@\u200ball &amp; &lt;!channel&gt;\n#care\n",
  )
  expect(mattermost.wrong).toEqual([])
})

test("an answer is in the language of the service", async () => {
  await using portuguese = await startServerWithMattermost({ "service.language": "pt" })
  await portuguese.person("Ana")
  const before = mattermost.messagesAt(answers).length
  await type({ text: "@no_body 1", to: portuguese })
  await until(() => mattermost.messagesAt(answers).length > before)
  expect(mattermost.messagesAt(answers).at(-1)?.text).toBe(
    "no\\_body não tem conta aqui. Escolha alguém da lista que o Mattermost mostra depois de @.",
  )
})
