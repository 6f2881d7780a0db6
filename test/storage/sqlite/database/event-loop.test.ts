import { expect, test } from "bun:test"
import { join } from "node:path"
import { createClient } from "../../../support/client.ts"
import { bearer, logIn } from "../../../support/credentials.ts"
import { until } from "../../../support/until.ts"
import { testFolder } from "../../files.ts"

const root = join(import.meta.dir, "../../../..")
const ran = "a statement ran here"

type Operations = Record<string, Record<string, unknown>>

test("once a server listens, no statement runs on its event loop: at no route, at no job, and not while it stops", async () => {
  await using folder = await testFolder()
  const log = folder.file("log")
  const logged = () => Bun.file(log).text()
  await using server = Bun.spawn(
    [process.execPath, "--preload", join(import.meta.dir, "statements-here.ts"), join(root, "src/main.ts"), "serve"],
    {
      cwd: folder.path,
      env: {
        ...process.env,
        REWARDS_SECURITY__SECRET_KEY: "a".repeat(64),
        REWARDS_SERVER__PORT: "0",
      },
      stdin: "ignore",
      stderr: Bun.file(log),
    },
  )
  await until(async () => (await logged()).includes('"message":"listening"'))
  const [, url = ""] = /"message":"listening".*?"url":"([^"]+)"/.exec(await logged()) ?? []
  const { access_token: token } = await logIn(url, "admin", "admin")
  const admin = createClient(url, bearer(token))

  const ana = { name: "Ana", email: "ana@example.com", password: "a password", username: "ana", dept: "sales" }
  expect((await admin.post("/user/", ana)).status).toBe(201)
  expect((await admin.post("/transaction/ana/", { value: 5, reason: "for your help" })).status).toBe(201)
  const { paths } = (await admin.get("/openapi.json")).body as { paths: Operations }
  const statuses: number[] = []
  for (const [path, operations] of Object.entries(paths))
    for (const method of Object.keys(operations).filter((method) => method !== "delete" && path !== "/logout")) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "username" ? "ana" : "1"))
      const response = await admin.request(method.toUpperCase(), filled, method === "get" ? {} : { json: {} })
      await response.body?.cancel()
      statuses.push(response.status)
    }
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50)
  expect(statuses.filter((status) => status === 500)).toEqual([])
  expect((await admin.patch("/api/v1/users/ana", { active: false })).status).toBe(200)
  expect((await admin.post("/api/v1/users/ana/erasure", { reasons: "all" })).status).toBe(200)
  server.kill("SIGTERM")
  await server.exited

  const [starting = "", serving = ""] = (await logged()).split('"message":"listening"')
  expect(starting).toContain(ran) // the start reads the database before the threads are opened
  expect(serving).toContain('"message":"stopped"')
  expect(serving.split("\n").filter((line) => line.startsWith(ran))).toEqual([])
})
