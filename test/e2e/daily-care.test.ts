import { expect, test } from "bun:test"
import { symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { done, refused } from "../cli/operator.ts"
import { createAuthority } from "../support/authority.ts"
import { executable, runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { startSmtpServer } from "../support/smtp.ts"
import { converse, converseWith } from "./terminal.ts"

test("config shows the settings that the executable would use, and hides its secret", async () => {
  const { status, stdout, stderr } = await runCommand(["config"])

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(stdout).toMatch(/^security\.secret_key +"\(hidden\)" +environment REWARDS_SECURITY__SECRET_KEY$/m)
  expect(stdout).toMatch(/^security\.bcrypt_cost +10 +environment REWARDS_SECURITY__BCRYPT_COST$/m)
  expect(stdout).not.toContain("a secret for tests")
  expect(await runCommand(["config", "--config", "none.toml"])).toEqual(
    refused(
      "the configuration cannot be used:",
      "  none.toml: expected a file that can be read: there is no such file",
    ),
  )
})

test("user set-password, set-dept and session act beside a running server and take effect at once", async () => {
  await using server = await startServer()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: server.cwd, stdin: "her new one\n" })
  const logIn = async (path: string, password: string) => {
    const body = new URLSearchParams({ username: "ana", password })
    const { status, headers } = await fetch(`${server.url}${path}`, { method: "POST", body })
    return { status, cookie: headers.get("set-cookie")?.split(";")[0] ?? "" }
  }
  await types("create-user", "Ana", "ana@example.com", "her first", "sales")
  const { cookie } = await logIn("/login", "her first")

  expect(await types("user", "set-dept", "ana", "management")).toEqual(done("User ana is now in management"))
  expect(await types("session", "list", "ana", "--json")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"username": "ana"'),
  })
  expect(await types("user", "set-password", "ana")).toEqual(
    done("Password of ana set; all sessions and tokens of this user have ended"),
  )
  expect((await fetch(`${server.url}/transaction/`, { headers: { cookie } })).status).toBe(401)
  expect((await logIn("/login", "her new one")).status).toBe(200)
  expect(await types("session", "revoke", "--all")).toEqual(
    done("Ended 1 session and all tokens of all users, except service tokens (rewards token list)"),
  )
  expect(await types("session", "list")).toEqual(done("username  opened  from  expires"))

  expect(await types("user", "set-password", "nobody", "x")).toEqual(refused("User not found: nobody"))
  expect(await types("user", "set-dept", "admin", "sales")).toEqual(refused("dept: admin stays in management"))
  expect(await types("session", "revoke")).toMatchObject({ status: 2, stdout: "" })
  expect(await types("session")).toMatchObject({ status: 2, stdout: "" })
})

test("at a terminal, user set-password asks twice and does not show the typed password", async () => {
  await using folder = await temporaryFolder()
  await using ana = converse(["user", "set-password", "admin"], folder.path, { REWARDS_SECURITY__BCRYPT_COST: "10" })

  await ana.sees("New password of admin:")
  ana.types("hunter2\r")
  await ana.sees("New password of admin, once more:")
  ana.types("hunter2\r")

  await ana.sees("Password of admin set; all sessions and tokens of this user have ended")
  expect(await ana.ends()).toBe(0)
  expect(ana.shown()).not.toContain("hunter2")
})

test("a bash with the completion script completes commands, options and files", async () => {
  await using folder = await temporaryFolder()
  await symlink(executable, join(folder.path, "rewards"))
  await Bun.write(join(folder.path, "points.db"), "")
  const env = { PATH: `${folder.path}:${process.env.PATH}`, PS1: "ready> ", INPUTRC: "/dev/null" }
  await using bash = converseWith(["bash", "--norc", "--noprofile", "-i"], folder.path, env)
  await bash.sees("ready> ")
  bash.types("source <(rewards completion bash)\r")
  await bash.sees("ready> ")

  bash.types("rewards sess\tl\t--j\t--db poi\t")
  await bash.sees("rewards session list --json --db points.db ")
  bash.types("\r")
  await bash.sees("[]\r\n")
})

test("manual and completion print the files that the archive includes; an unknown shell is refused", async () => {
  expect(await runCommand(["manual"])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\.TH REWARDS 1 /) })
  for (const shell of ["bash", "zsh", "fish"])
    expect(await runCommand(["completion", shell])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`${shell} completion for rewards`),
      stderr: "",
    })
  expect(await runCommand(["completion", "tcsh"])).toMatchObject({ status: 2, stdout: "" })
})

test("audit shows, beside a running server, who did what over HTTP and the command line", async () => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ cwd: folder.path })
  const me = Bun.spawnSync(["id", "-un"]).stdout.toString().trim()
  const env = { USER: process.platform === "linux" ? "somebody else" : me } // macOS keeps its users elsewhere
  const types = (...args: readonly string[]) => runCommand(args, { cwd: folder.path, env })
  await types("create-user", "Ana", "ana@example.com", "her password", "sales")
  for (const password of ["wrong", "wrong", "her password"]) {
    const body = new URLSearchParams({ username: "ana", password })
    await fetch(`${server.url}/token`, { method: "POST", body })
  }
  const { stdout } = await types("audit", "--json")
  const told: Record<"who" | "action" | "whom" | "way" | "from", string | null>[] = JSON.parse(stdout)
  expect(told.map(({ who, action, whom, way, from }) => [who, action, whom, way, from])).toEqual([
    [null, "user_created", "admin", "server", null],
    [me, "settings", null, "command line", null],
    [me, "user_created", "ana", "command line", null],
    [null, "login_failed", "ana", "http", "127.0.0.1"],
    ["ana", "login", null, "http", "127.0.0.1"],
  ])
  expect(await server.stop()).toBe(0)
  const newest = (await types("audit", "--limit", "2")).stdout
  expect(newest).toMatch(/ {2}login_failed {2}ana +http +127\.0\.0\.1 {2}2 times\n.* {2}ana {2}login /)

  expect(await types("audit", "--action", "dance")).toMatchObject({ status: 2, stdout: "" })
  expect(await types("audit", "--since", "yesterday")).toMatchObject({ status: 2, stdout: "" })
})

test("doctor finds nothing bad on a production server behind TLS, and reports the problems of another", async () => {
  await using folder = await temporaryFolder()
  const authority = await createAuthority()
  const mailServer = await startSmtpServer({ authority })
  const { cert, key } = await authority.issue(["127.0.0.1"], {
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 365 * 24 * 3_600_000),
  })
  for (const [name, text] of Object.entries({ "ca.pem": authority.pem, "cert.pem": cert, "key.pem": key }))
    await writeFile(join(folder.path, name), text, { mode: 0o600 })
  const port = freePort()
  const settings = {
    REWARDS_SERVER__PROFILE: "production",
    REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "12",
    REWARDS_SERVER__PORT: String(port),
    REWARDS_SERVER__BASE_URL: `https://127.0.0.1:${port}`,
    REWARDS_SERVER__TLS_CERT: "cert.pem",
    REWARDS_SERVER__TLS_KEY: "key.pem",
    REWARDS_SECURITY__ADMIN_PASSWORD: "a first password",
    REWARDS_SECURITY__ADMIN_EMAIL: "olga@example.com",
    REWARDS_SECURITY__BCRYPT_COST: undefined,
    REWARDS_EMAIL__DEBUG_MODE: "false",
    REWARDS_EMAIL__SMTP_SERVER: mailServer.host,
    REWARDS_EMAIL__SMTP_PORT: String(mailServer.port),
    REWARDS_EMAIL__SMTP_SENDER: "rewards@example.com",
  }
  await using server = await startServer({ cwd: folder.path, env: settings, args: ["--port", String(port)] })
  const env = { ...settings, NODE_EXTRA_CA_CERTS: join(folder.path, "ca.pem") }

  await runCommand(["user", "set-password", "admin", "a password of her own"], { cwd: folder.path, env })
  await runCommand(["backup"], { cwd: folder.path, env })

  const sound = await runCommand(["doctor", "--json"], { cwd: folder.path, env })

  expect({ status: sound.status, stderr: sound.stderr }).toEqual({ status: 0, stderr: "" })
  const found: { check: string; verdict: string }[] = JSON.parse(sound.stdout)
  const checks =
    "version settings files disk sync database watermark admin jobs backup mail certificate server log base_url clock".split(
      " ",
    )
  expect(found.map(({ check }) => check)).toEqual(checks)
  const measured = ["sync", "log"] // a busy machine may be slower than doctor likes
  expect(found.filter(({ check, verdict }) => verdict !== "ok" && !measured.includes(check))).toEqual([])
  await server.stop()
  await mailServer.stop()

  const { status, stdout, stderr } = await runCommand(["doctor"], { cwd: folder.path, env })
  expect({ status, stderr }).toEqual({ status: 1, stderr: "1 finding is bad\n" })
  expect(stdout).toMatch(/^bad +mail +127\.0\.0\.1:\d+: connection refused; check email\.smtp_server/m)
  expect(stdout).toMatch(
    /^warn +server +https:\/\/127\.0\.0\.1:\d+ cannot be reached: connection refused; start it with/m,
  )
})
