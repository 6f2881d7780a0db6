import { expect, test } from "bun:test"
import type { Sent } from "../support/client.ts"
import { pictures } from "../support/pictures.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const common = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex",
  "permissions-policy": expect.stringMatching(/^(?:[a-z-]+=\(\)(?:, |$))+$/),
  "cache-control": "no-store",
}
const hsts = "strict-transport-security"
const names = [...Object.keys(common), hsts]

/** Those of `names` that an answer has. */
const told = ({ headers }: Response) =>
  Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])))

interface Asked {
  readonly what: string
  readonly status: number
  readonly ask: (server: TestServer) => Promise<Response>
}

const asked = (what: string, status: number, method: string, path: string, sent?: Sent): Asked => ({
  what,
  status,
  ask: ({ anybody }) => anybody.request(method, path, sent),
})
const wrong = { form: { username: "ana", password: "wrong" } }
const fromElsewhere = { origin: "https://elsewhere.example", cookie: `session_id=${"0".repeat(32)}` }

const answers: Asked[] = [
  asked("a list", 200, "GET", "/user/"),
  asked("a list's head", 200, "HEAD", "/user/"),
  asked("health", 200, "GET", "/healthz"),
  asked("a preflight", 204, "OPTIONS", "/user/", {
    headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
  }),
  asked("a path that there is not", 404, "GET", "/nothing"),
  asked("a user that there is not", 404, "GET", "/user/nobody/"),
  asked("a method that there is not", 405, "DELETE", "/user/"),
  asked("the stream without a handshake", 405, "GET", "/transaction/ws"),
  asked("a malformed path", 400, "GET", "/user/%zz"),
  asked("a stranger", 401, "GET", "/transaction/"),
  asked("a wrong password", 401, "POST", "/token", wrong),
  asked("a wrong password for a session", 401, "POST", "/login", wrong),
  asked("a log-out", 200, "POST", "/logout"),
  asked("a foreign origin", 403, "POST", "/user/", { headers: fromElsewhere }),
  asked("a body that does not fit", 422, "POST", "/token"),
  asked("a body that is too large", 413, "POST", "/token", { form: "x".repeat(70_000) }),
  asked("a body of another kind", 415, "POST", "/token", { json: {} }),
  asked("a request for a reset", 200, "POST", "/user/pwd_reset_token/", { json: { email: "ana@example.com" } }),
  {
    what: "a personal page",
    status: 200,
    ask: async (server) => (await server.person("Ana")).request("GET", "/transaction/"),
  },
  {
    what: "tokens",
    status: 200,
    ask: async (server) => {
      const { username, password } = await server.person("Ana")
      return server.anybody.request("POST", "/token", { form: { username, password } })
    },
  },
]

for (const { what, status, ask } of answers)
  test(`${what} (${status}) cannot be framed, sniffed or stored`, async () => {
    await using server = await startTestServer({ settings: { "cors.origins": "https://app.example.com" } })

    const response = await ask(server)

    expect(response.status).toBe(status)
    expect(told(response)).toEqual(common)
  })

test("an unexpected error cannot be framed, sniffed or stored either", async () => {
  await using server = await startTestServer({
    replace: ({ store }) => ({
      store: {
        ...store,
        exports: {
          ...store.exports,
          users: () => {
            throw new Error("a bug")
          },
        },
      },
    }),
  })

  const response = await server.anybody.request("GET", "/user/")

  expect(response.status).toBe(500)
  expect(told(response)).toEqual(common)
})

test("no page can use camera, microphone, location, USB or payment", async () => {
  await using server = await startTestServer()
  const policy = (await server.anybody.request("GET", "/healthz")).headers.get("permissions-policy")
  for (const feature of ["camera", "microphone", "geolocation", "usb", "payment"])
    expect(policy).toContain(`${feature}=()`)
})

test("a configured origin can read answers despite the resource policy, and any site can show pictures", async () => {
  await using server = await startTestServer({ settings: { "cors.origins": "https://app.example.com" } })
  const ana = await server.person("Ana")
  const { body } = await ana.call<{ avatar: string }>("PUT", "/api/v1/me/avatar", { body: pictures.png })

  const answer = await ana.request("GET", "/user/", { headers: { origin: "https://app.example.com" } })
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.com")
  const picture = await server.anybody.request("GET", body.avatar)
  expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
})

test("the API page has its own policy, and its files can be cached", async () => {
  await using server = await startTestServer()

  const page = told(await server.anybody.request("GET", "/docs"))
  const script = told(await server.anybody.request("GET", "/docs/reference.js"))

  expect(page).toEqual({ ...common, "content-security-policy": expect.stringContaining("script-src 'self';") })
  expect(script).toEqual({ ...common, "cache-control": "public, max-age=3600" })
})

for (const [url, hstsValue] of [
  ["https://rewards.example.com", "max-age=31536000"],
  ["http://rewards.example.com", undefined],
] as const)
  test(`${hstsValue ? "browsers are told to use only https" : "no answer mentions https"} at ${url}`, async () => {
    await using server = await startTestServer({ settings: { "server.base_url": url } })

    for (const path of ["/user/", "/nothing", "/docs", "/docs/start.js"])
      expect(told(await server.anybody.request("GET", path))[hsts]).toBe(hstsValue)
  })
