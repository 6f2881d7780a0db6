import { expect, test } from "bun:test"
import { createClient } from "../support/client.ts"
import { executable, secret, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"

const paths = ["/user/", "/user/admin/", "/transaction/", "/transaction/admin/", "/api/v1/me", "/api/v1/feed", "/login"]

test("serve writes nothing to standard output, not even a warning of the framework about a guarded route", async () => {
  await using folder = await temporaryFolder()
  const port = freePort()
  const child = Bun.spawn([executable, "serve"], {
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: secret, REWARDS_SERVER__PORT: `${port}` },
    stdout: "pipe",
    stderr: "ignore",
  })
  try {
    const url = `http://127.0.0.1:${port}`
    const deadline = Date.now() + 60_000
    while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok && Date.now() < deadline) await Bun.sleep(20)

    const login = { username: "admin", password: "admin" }
    const { body } = await createClient(url).submit<{ access_token: string }>("/token", login)
    const admin = createClient(url, { authorization: `Bearer ${body.access_token}` })
    for (const path of paths) await admin.get(path)
    expect((await admin.post("/transaction/admin/", { value: 1 })).status).toBe(201)
    expect((await admin.call("PATCH", "/user/admin/", { json: {} })).status).toBe(200)
  } finally {
    child.kill()
  }
  expect(await child.exited).toBe(0)
  expect(await new Response(child.stdout).text()).toBe("")
}, 120_000)
