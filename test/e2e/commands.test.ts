import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../../src/storage/sqlite/database/migrations.ts"
import { done, refused } from "../cli/operator.ts"
import { executable, runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { converse } from "./terminal.ts"

const shellEnvironment = {
  REWARDS_SECURITY__SECRET_KEY: "a secret for tests alone",
  REWARDS_SECURITY__BCRYPT_COST: "10",
}

test("one executable runs every command on one database", async () => {
  await using folder = await temporaryFolder()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: folder.path, stdin: "her password\n" })

  expect(await types("init")).toMatchObject({ status: 0, stderr: "" })
  expect(await types("migrate")).toEqual(done(...migrations.map(({ tag }) => `Applied ${tag}`)))
  expect(await types("create-user", "Ana Souza", "ana@example.com", "-", "sales")).toEqual(
    done("User ana-souza created"),
  )
  expect(await types("transaction", "ana-souza", "10")).toEqual(done("admin: 0 -> -10", "ana-souza: 0 -> 10"))
  expect(await types("transaction", "ana-souza", "-5")).toEqual(refused("value: an integer from 1 to 9007199254740991"))
  expect(await types("user-list")).toEqual(
    done(
      "name       username   dept        email            currency",
      "Admin      admin      management  admin@localhost  USD",
      "Ana Souza  ana-souza  sales       ana@example.com  USD",
    ),
  )
  expect(await types("reset-db", "--force")).toEqual(done("Dropped all tables of rewards.db"))
  expect(await types("user-list", "--json")).toMatchObject({ stdout: expect.not.stringContaining("ana-souza") })
  expect(await types("version")).toEqual(done("rewards 0.1.0 (Bun 1.4.5)"))
  expect(await types("unheard-of")).toMatchObject({ status: 2, stdout: "" })
})

test("commands work beside a running server, which shows their results at once", async () => {
  await using server = await startServer()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: server.cwd })
  const stream = new WebSocket(`${server.url.replace("http", "ws")}/transaction/ws`)
  const frame = new Promise((resolve) => stream.addEventListener("message", ({ data }) => resolve(JSON.parse(data))))

  expect(await types("create-user", "Ana", "ana@example.com", "her password", "sales")).toEqual(
    done("User ana created"),
  )
  expect(await types("transaction", "ana", "10")).toEqual(done("admin: 0 -> -10", "ana: 0 -> 10"))

  expect(await frame).toEqual({ from: "Admin", to: "Ana", value: 10 })
  stream.close()
  const form = new URLSearchParams({ username: "ana", password: "her password" })
  const { access_token } = await (await fetch(`${server.url}/token`, { method: "POST", body: form })).json()
  const headers = { authorization: `Bearer ${access_token}` }
  expect(await (await fetch(`${server.url}/transaction/`, { headers })).json()).toMatchObject({
    items: [{ from_user: "admin", user: "ana", value: 10 }],
    total: 1,
  })
})

test("reset-db refuses while a server has the database open", async () => {
  await using server = await startServer()

  expect(await runCommand(["reset-db", "--force"], { cwd: server.cwd })).toEqual(
    refused(
      "cannot use the database rewards.db: another process has it open; " +
        "stop `rewards serve` and every other rewards command",
    ),
  )

  expect((await fetch(`${server.url}/user/admin/`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test("a command ends quietly if the reader of its output closes the pipe", async () => {
  await using folder = await temporaryFolder()
  await runCommand(["migrate"], { cwd: folder.path })
  const line = `{ sleep 0.2; "${executable}" user-list; echo "status $?" >&2; } | true`
  const child = Bun.spawn(["sh", "-c", line], { cwd: folder.path, env: shellEnvironment, stderr: "pipe" })

  expect(await new Response(child.stderr).text()).toBe("status 0\n")
})

test("shell runs statements from standard input in order, awaits each, and has the app in scope", async () => {
  const stdin = `
    const { id } = await users.create(operator, {
      name: "Ana", email: "ana@example.com", dept: "sales", password: "x",
    })
    const [sender, receiver] = await Promise.all(["admin", "ana"].map(store.users.byUsername))
    const { value } = await ledger.sendPoints({ sender, receiver, value: 10 })
    new Promise((resolve) => setTimeout(() => resolve("late"), 100))
    [id, value]
    for (const name of ["admin", "ana"]) {
      console.log(name, await store.users.balanceOf((await store.users.byUsername(name)).id))
    }
    Object.keys({ users, ledger, passwords, tokens, sessions, access, store, config }).length
    [config.service.name, config.security.secret_key, config.security.admin_password]
  `
  expect(await runCommand(["shell"], { stdin })).toEqual(
    done("'late'", "[ 2, 10 ]", "admin -10", "ana 10", "8", "[ 'Rewards', undefined, undefined ]"),
  )
})

for (const [stdin, stdout, stderr] of [
  ["1\nnope.it\n3", "1\n", "line 2: ReferenceError: nope is not defined\n"],
  [
    `1\n\nawait users.create(operator, {\nname: "Ana", email: "ana", dept: "sales", password: "x" })\n3`,
    "1\n",
    "line 3: DomainError: email: one plain address of at most 254 characters\n",
  ],
  ["1\nf(", "1\n", "line 2: BuildMessage: Unexpected end of file\n"],
] as const)
  test(`shell stops at the first failing statement: ${JSON.stringify(stdin)}`, async () => {
    expect(await runCommand(["shell"], { stdin })).toEqual({ status: 1, stdout, stderr })
  })

test("shell ends at the end of its input, or with .exit", async () => {
  expect(await runCommand(["shell"])).toEqual(done())
  expect(await runCommand(["shell"], { stdin: "1\n.exit\n2\n" })).toEqual(done("1"))
})

test("at a terminal, shell greets, edits, completes, and keeps a history that only its user can read", async () => {
  await using folder = await temporaryFolder()
  const home = join(folder.path, "home")
  {
    await using ana = converse(["shell"], folder.path, { ...shellEnvironment, HOME: home })
    await ana.sees("Exit with .exit or Ctrl-D.")
    await ana.sees("rewards> ")
    ana.types("store.users.balanceO")
    await ana.sees("\u001b[90mf") // proposed
    ana.types("\t")
    await ana.sees("f") // taken
    ana.types("(1).then((points) => points + 4)\u0001await \r")
    await ana.sees("4\u001b[39m")
    ana.types("nope\r")
    await ana.sees("Uncaught ReferenceError: nope is not defined")
    ana.types("\u0004")
    expect(await ana.ends()).toBe(0)
  }
  {
    await using ana = converse(["shell"], folder.path, { ...shellEnvironment, HOME: home, NO_COLOR: "1" })
    await ana.sees("rewards> ")
    ana.types("\u001b[A\u001b[A")
    await ana.sees("await store.users.balanceOf(1).then((points) => points + 4)")
    ana.types("\r")
    await ana.sees("\n4\r\n")
    ana.types(".exit\r")
    expect(await ana.ends()).toBe(0)
  }
  const state = join(home, ".local/state/rewards")
  expect(statSync(state).mode & 0o777).toBe(0o700)
  expect(statSync(join(state, ".rewards_history")).mode & 0o777).toBe(0o600)
})

test("at a terminal, create-user does not show the typed password", async () => {
  await using folder = await temporaryFolder()
  await using ana = converse(["create-user", "Ana", "ana@example.com", "-", "sales"], folder.path, shellEnvironment)

  await ana.sees("Password of Ana:")
  ana.types("hunter2\r")

  await ana.sees("User ana created")
  expect(await ana.ends()).toBe(0)
  expect(ana.shown()).not.toContain("hunter2")
})

test("at a terminal, reset-db asks first", async () => {
  await using folder = await temporaryFolder()
  await runCommand(["migrate"], { cwd: folder.path })
  for (const [answer, told, status] of [
    ["n\r", "nothing was dropped", 1],
    ["\u0004", "no input", 1],
    ["y\r", "Dropped all tables of rewards.db", 0],
  ] as const) {
    await using ana = converse(["reset-db"], folder.path, shellEnvironment)
    await ana.sees("Drop all tables of rewards.db? [y/N]")
    ana.types(answer)
    await ana.sees(told)
    expect(await ana.ends()).toBe(status)
  }
})

test("output is coloured only on a terminal, and not with NO_COLOR", async () => {
  await using folder = await temporaryFolder()
  const helpAt = async (env: Record<string, string>) => {
    await using ana = converse(["--help"], folder.path, env)
    await ana.sees("SERVER")
    await ana.sees("shows what a command takes")
    await ana.ends()
    return ana.shown()
  }

  expect(await helpAt({})).toContain("\u001b[")
  expect(await helpAt({ NO_COLOR: "yes" })).not.toContain("\u001b[")
  expect((await runCommand(["--help"])).stdout).not.toContain("\u001b[")
})
