import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { executable, runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { converse } from "./terminal.ts"

const production = ["init", "--production", "--base-url", "https://rewards.example.com"]

test("a file for production, written at a terminal, can be served unchanged, and the shown password works", async () => {
  await using folder = await temporaryFolder()
  const args = [...production, "--smtp-server", "smtp.example.com"]
  await using ana = converse(args, folder.path)
  await ana.sees("shown only now: ")
  await ana.sees("for production")
  expect(await ana.ends()).toBe(0)
  const password = /shown only now: (\S+)/.exec(ana.shown())?.[1] ?? ""

  await using server = await startServer({
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: undefined, REWARDS_SECURITY__BCRYPT_COST: undefined },
  })

  const logIn = async (password: string) => {
    const body = new URLSearchParams({ username: "admin", password })
    return (await fetch(`${server.url}/token`, { method: "POST", body })).status
  }
  expect(await Promise.all([password, "admin"].map(logIn))).toEqual([200, 401])
  expect(server.stderr.filter((line) => line.includes('"level":"warn"'))).toEqual([])
})

test("a file without a mail server is reported as incomplete when it is written and when it is served", async () => {
  await using folder = await temporaryFolder()
  const missing = "the name of a mail server, since email.debug_mode is false"

  const written = await runCommand(production, { cwd: folder.path })
  const served = await runCommand(["serve"], { cwd: folder.path })

  expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining(missing) })
  expect(served).toMatchObject({ status: 1, stderr: expect.stringContaining(missing) })
})

test("settings that the disk can store only in part are refused, and leave no file", async () => {
  await using folder = await temporaryFolder()

  // The system takes what fits below this size, in blocks of 512 or 1,024 bytes, and refuses the rest.
  const child = Bun.spawn(["sh", "-c", 'trap "" XFSZ; ulimit -f 4; exec "$0" init', executable], {
    cwd: folder.path,
    stderr: "pipe",
  })

  expect(await new Response(child.stderr).text()).toContain("EFBIG")
  expect(await child.exited).toBe(1)
  expect(readdirSync(folder.path)).toEqual([])
})

test("serve --init begins in an empty folder without any setting, and keeps its secret there", async () => {
  await using folder = await temporaryFolder()
  const options = { cwd: folder.path, args: ["--init"], env: { REWARDS_SECURITY__SECRET_KEY: undefined } }
  const logIn = async ({ url }: { readonly url: string }) => {
    const body = new URLSearchParams({ username: "admin", password: "admin" })
    return (await (await fetch(`${url}/token`, { method: "POST", body })).json()).access_token
  }
  await using first = await startServer(options)
  const token = await logIn(first)
  const settings = join(folder.path, "rewards.toml")
  expect(statSync(settings).mode & 0o777).toBe(0o600)
  const written = readFileSync(settings, "utf8")
  await first.stop("SIGKILL")

  await using second = await startServer(options)
  const me = await fetch(`${second.url}/user/admin/`, { headers: { authorization: `Bearer ${token}` } })
  expect(me.status).toBe(200)
  expect(readFileSync(settings, "utf8")).toBe(written)
})

test("serve --init makes up no secret for a database that has lost its own", async () => {
  await using folder = await temporaryFolder()
  await runCommand(["create-user", "Ana", "ana@example.com", "her password", "sales"], { cwd: folder.path })

  const served = await runCommand(["serve", "--init"], {
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: undefined },
  })
  expect(served).toMatchObject({ status: 1, stderr: expect.stringContaining("security.secret_key") })
  expect(existsSync(join(folder.path, "rewards.toml"))).toBe(false)
})
