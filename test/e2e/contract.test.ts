import { expect, test } from "bun:test"
import { copyFile, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { ok, refused, unauthenticated } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { executable, startServer, temporaryFolder } from "../support/executable.ts"

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const added = { status: 201, body: { message: "Transaction added" } }
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)

test("a first tour works: people, points, the stream, the history, a forgotten password and a session", async () => {
  await using server = await startServer()
  const anybody = createClient(server.url)
  const logIn = async (username: string, password: string) => {
    const { body } = await anybody.submit<Tokens>("/token", { username, password })
    return createClient(server.url, { authorization: `Bearer ${body.access_token}` })
  }
  const admin = await logIn("admin", "admin")

  const ana = { name: "Ana Souza", email: "ana@example.com", dept: "sales", password: "Ana's first" }
  const bruno = { name: "Bruno Lima", email: "bruno@example.com", dept: "support", password: "Bruno's" }
  const shown = { avatar: null, bio: null, currency: "USD" }
  expect(await admin.post("/user/", ana)).toEqual({
    status: 201,
    body: { name: "Ana Souza", username: "ana-souza", dept: "sales", ...shown },
  })
  expect(await admin.post("/user/", bruno)).toEqual({
    status: 201,
    body: { name: "Bruno Lima", username: "bruno-lima", dept: "support", ...shown },
  })

  expect(await admin.post("/transaction/ana-souza/", { value: 100 })).toEqual(added)
  using stream = watch(server.url)
  expect(await stream.seen(1)).toEqual([{ to: "Ana Souza", from: "Admin", value: 100 }])
  const asAna = await logIn("ana-souza", ana.password)
  expect(await asAna.post("/transaction/bruno-lima/", { value: 30 })).toEqual(added)
  expect(await asAna.post("/transaction/bruno-lima/", { value: 71 })).toEqual(refused(400, "Insufficient balance"))
  expect((await stream.seen(2))[1]).toEqual({ to: "Bruno Lima", from: "Ana Souza", value: 30 })

  expect(await asAna.get("/transaction/?order_by=-date&size=1")).toEqual(
    ok({
      items: [{ id: 2, value: 30, date, user: "bruno-lima", from_user: "ana-souza", user_id: 3, from_id: 2 }],
      total: 2,
      page: 1,
      size: 1,
    }),
  )
  expect(await admin.get("/user/bruno-lima/?show_balance=true")).toMatchObject(ok({ balance: 30 }))

  const asked = Date.now()
  expect(await anybody.post("/user/pwd_reset_token/", { email: ana.email })).toEqual(
    ok({ message: "If we found a user with that email, we sent a password reset token to it." }),
  )
  const mail = await mailIn(join(server.cwd, "email.log"))
  expect(Date.now() - asked).toBeGreaterThanOrEqual(3000)
  expect(mail).toStartWith("--- START EMAIL ana@example.com ---\n")
  expect(mail).toEndWith("--- END OF EMAIL ---\n")
  expect(mail).toContain("Subject: Password reset for Rewards\n")
  const token = new RegExp(`^${server.url}/reset-password\\?pwd_reset_token=(\\S+)$`, "m").exec(mail)?.[1]
  const change = { password: "Ana's second", password_confirm: "Ana's second" }
  const changing = `/user/ana-souza/password/?pwd_reset_token=${token}`
  expect(await anybody.post(changing, change)).toMatchObject(ok({ username: "ana-souza" }))
  expect(await anybody.post(changing, change)).toEqual(
    refused(403, "You are not allowed to change this user's password"),
  )
  expect(await asAna.get("/transaction/")).toEqual(unauthenticated)

  const { headers, ...loggedIn } = await anybody.submit("/login", { username: "ana-souza", password: "Ana's second" })
  expect(loggedIn).toEqual(ok({ status: "logged in" }))
  const session = createClient(server.url, { cookie: headers?.["set-cookie"]?.split(";")[0] ?? "" })
  expect(await session.get("/user/ana-souza/?show_balance=true")).toMatchObject(ok({ balance: 70 }))
  expect(await session.post("/logout")).toMatchObject(ok({ status: "logged out" }))
  expect(await session.get("/transaction/")).toEqual(refused(401, "Invalid Session ID"))

  expect(await server.stop()).toBe(0)
})

test("the executable serves everything, alone in an empty folder with only its secret", async () => {
  await using folder = await temporaryFolder()
  const alone = join(folder.path, "rewards")
  await copyFile(executable, alone)
  const child = Bun.spawn([alone, "serve", "--port", "0"], {
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: "a secret for this test alone" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  try {
    const url = await urlIn(child.stderr)
    const anybody = createClient(url)

    const { status, body } = await anybody.submit<Tokens>("/token", { username: "admin", password: "admin" })
    expect(status).toBe(200)
    const admin = createClient(url, { authorization: `Bearer ${body.access_token}` })
    expect(await admin.post("/transaction/admin/", { value: 5 })).toEqual(added)
    using stream = watch(url)
    expect(await stream.seen(1)).toEqual([{ to: "Admin", from: "Admin", value: 5 }])
    expect(await anybody.get("/openapi.json")).toMatchObject(
      ok({ info: { version: "0.1.0", description: "a rewards API" } }),
    )
    const page = await anybody.get<string>("/docs")
    const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path = ""]) => path)
    expect(files).toContain("/docs/reference.js")
    for (const path of files) {
      const file = await anybody.request("GET", path)
      expect([path, file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([path, 200, true])
    }
    // By a thread, with fonts that the build has compressed.
    const picture = await admin.request("GET", "/api/v1/recap.png")
    expect([picture.status, (await picture.bytes()).slice(1, 4).toString()]).toEqual([200, "80,78,71"])
    while (!(await readdir(folder.path)).includes("rewards.db.mark")) await Bun.sleep(20) // within a second
    expect((await readdir(folder.path)).toSorted()).toEqual([
      ".rewards.db.lock",
      "rewards",
      "rewards.db",
      "rewards.db-shm",
      "rewards.db-wal",
      "rewards.db.mark",
    ])
  } finally {
    child.kill()
    expect(await child.exited).toBe(0)
  }
  expect((await readdir(folder.path)).toSorted()).toEqual([
    ".rewards.db.lock",
    "rewards",
    "rewards.db",
    "rewards.db.mark",
  ])
})

/** The one message of the debug file, once it is whole. */
async function mailIn(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "")
    if (text.includes("--- END OF EMAIL ---\n")) return text
    await Bun.sleep(20)
  }
}

/** Where the server says that it listens. */
async function urlIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = ""
  const decoder = new TextDecoder()
  for await (const bytes of stream(stderr)) {
    text += decoder.decode(bytes, { stream: true })
    const url = /"message":"listening".*?"url":"([^"]+)"/.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`the server did not listen\n${text}`)
}

/** Without cancelling it at the end of the loop: the server goes on writing. */
const stream = (readable: ReadableStream<Uint8Array>) => readable.values({ preventCancel: true })

function watch(url: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/transaction/ws`)
  const frames: unknown[] = []
  socket.onmessage = ({ data }) => frames.push(JSON.parse(data))
  return {
    async seen(count: number) {
      while (frames.length < count) await Bun.sleep(1)
      return frames
    },
    [Symbol.dispose]: () => socket.close(),
  }
}
