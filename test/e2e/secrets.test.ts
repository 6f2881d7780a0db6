import { expect, test } from "bun:test"
import { createClient, type Sent } from "../support/client.ts"
import { bearer, cookie, logIn, sessionIn } from "../support/credentials.ts"
import { nextResetToken } from "../support/debug-mail.ts"
import { runCommand, secret, startServer } from "../support/executable.ts"

const env = {
  REWARDS_SECURITY__ADMIN_PASSWORD: "first-password-of-admin",
  REWARDS_EMAIL__SMTP_PASSWORD: "password-at-the-mail-server",
  REWARDS_EMAIL__SMTP_USER: "rewards",
  REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
  REWARDS_METRICS__LISTEN: "127.0.0.1:0",
}
const ana = { name: "Ana", email: "ana@example.com", dept: "sales", password: "password-of-ana" }

test("a complete tour, including all its failures, leaves no secret in log, answers, metrics and audit log", async () => {
  await using server = await startServer({ env })
  const { cwd } = server
  const mail = await nextResetToken(`${cwd}/email.log`, ana.email)
  const [admin, anybody] = [
    await logIn(server.url, "admin", env.REWARDS_SECURITY__ADMIN_PASSWORD),
    createClient(server.url),
  ]
  const told: string[] = []
  const ask = async (method: string, path: string, sent: Sent = {}) => {
    const response = await anybody.request(method, path, sent)
    told.push(JSON.stringify([...response.headers]), await response.text())
  }
  const asAdmin = bearer(admin.access_token)
  await anybody.call("POST", "/user/", { json: ana, headers: asAdmin })
  const tokens = await logIn(server.url, "ana", ana.password)
  const session = sessionIn(await anybody.submit("/login", { username: "ana", password: ana.password }))
  await anybody.post("/user/pwd_reset_token/", { email: ana.email })
  const resetToken = await mail.arrives()

  const broken = JSON.stringify({ ...ana, password: "password-in-a-broken-body" }).slice(0, -1)
  const json = { "content-type": "application/json" }
  await ask("POST", "/user/", { json: ana, headers: asAdmin })
  await ask("POST", "/user/", { json: { ...ana, name: 5, password: "password-that-does-not-fit" }, headers: asAdmin })
  await ask("POST", "/user/", { json: { ...ana, password: "password-of-1024-".repeat(100) }, headers: asAdmin })
  await ask("POST", "/user/", { body: broken, headers: { ...asAdmin, ...json } })
  await ask("POST", "/token", { form: { username: "password-as-name", password: "wrong-password" } })
  await ask("POST", "/token", { form: "username=ana&password=%zz-wrong-password" })
  await ask("POST", "/token", { json: { username: "ana", password: ana.password } })
  await ask("POST", "/refresh_token", { json: { refresh_token: tokens.access_token } })
  await ask("POST", "/refresh_token", { json: { refresh_token: `${tokens.refresh_token}x` } })
  await ask("GET", "/transaction/", { headers: bearer(tokens.refresh_token) })
  await ask("GET", `/transaction/?order_by=${tokens.access_token}`, { headers: bearer(tokens.access_token) })
  await ask("POST", "/transaction/admin/", {
    json: { value: 1 },
    headers: { ...cookie(session), origin: "https://elsewhere.example" },
  })
  await ask("GET", "/transaction/ws", { headers: cookie(session) })
  const path = `/user/ana/password/?pwd_reset_token=${resetToken}`
  await ask("POST", path, { json: { password: "new-password-of-ana", password_confirm: "other-password" } })
  await ask("POST", path, { json: { password: "new-password-of-ana", password_confirm: "new-password-of-ana" } })
  await ask("POST", path, { json: { password: "next-password-of-ana", password_confirm: "next-password-of-ana" } })
  await ask("POST", "/logout", { headers: cookie(session) })
  await anybody.request("GET", `/nowhere?token=${tokens.access_token}`)
  const metrics = /"message":"serving metrics","url":"([^"]+)"/.exec(server.stderr.join("\n"))?.[1] ?? ""
  told.push(await (await fetch(metrics)).text())
  for (const args of [
    ["audit", "--json"],
    ["config", "--json"],
    ["doctor", "--json"],
    ["session", "list", "--json"],
  ]) {
    const { stdout, stderr } = await runCommand(args, { cwd, env })
    told.push(stdout, stderr)
  }
  await server.stop()

  const everything = [...told, ...server.stderr].join("\n")
  const secrets = [
    ...[secret, session, ...Object.values(env).filter((value) => value.includes("password")), ana.password],
    ...[...Object.values(admin), ...Object.values(tokens), resetToken].filter((text) => text !== "bearer"),
    ...[
      "password-in-a",
      "password-that",
      "password-of-1024",
      "password-as-name",
      "wrong-password",
      "password-of-ana",
      "$2b$",
    ],
  ]
  expect(everything).toContain("/transaction/")
  expect(secrets.filter((one) => one === "" || everything.includes(one))).toEqual([])
}, 120_000)
