import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"

/** Commands that share one database. */
async function operator() {
  const folder = await temporaryFolder()
  const run = (args: string[], stdin = "") => runCommand(args, { cwd: folder.path, stdin })
  return { ...folder, run, file: (name: string) => join(folder.path, name) }
}

const done = (stdout: string) => ({ status: 0, stdout, stderr: "" })

describe("create-user", () => {
  test("creates a user and prints a line that the user was created", async () => {
    await using cli = await operator()

    expect(await cli.run(["create-user", "Ana  Souza", "ana@example.com", "secret", "sales"])).toEqual(
      done("User ana-souza created\n"),
    )
    const { stdout } = await cli.run(["user-list", "--json"])
    expect(JSON.parse(stdout)[1]).toEqual({
      name: "Ana  Souza",
      username: "ana-souza",
      dept: "sales",
      email: "ana@example.com",
      currency: "USD",
    })
  })

  test("takes --username and --currency, and - reads the password from standard input", async () => {
    await using cli = await operator()
    const args = ["create-user", "Bruno", "bruno@example.com", "-", "sales", "--username", "bru", "--currency", "EUR"]

    expect(await cli.run(args, "from stdin\n")).toEqual(done("User bru created\n"))

    await using server = await startServer({ cwd: cli.path })
    const login = await fetch(`${server.url}/token`, {
      method: "POST",
      body: new URLSearchParams({ username: "bru", password: "from stdin" }),
    })
    expect(login.status).toBe(200)
  })

  test("refuses a taken user name, a taken address and a bad field with status 1 and a plain message", async () => {
    await using cli = await operator()
    await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])

    const again = await cli.run(["create-user", "Ana", "other@example.com", "secret", "sales"])
    expect(again).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("Username already taken") })
    const address = await cli.run(["create-user", "Bia", "ANA@example.com", "secret", "sales"])
    expect(address).toMatchObject({ status: 1, stderr: expect.stringContaining("Database IntegrityError") })
    const mail = await cli.run(["create-user", "Bia", "no address", "secret", "sales"])
    expect(mail).toMatchObject({ status: 1, stderr: expect.stringContaining("email: one plain address") })
  })
})

test("user-list prints a table of name, username, dept, email, currency", async () => {
  await using cli = await operator()
  await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])

  expect(await cli.run(["user-list"])).toEqual(
    done(`name   username  dept        email            currency
Admin  admin     management  admin@localhost  USD
Ana    ana       sales       ana@example.com  USD
`),
  )
})

describe("transaction", () => {
  test("adds a transaction with sender admin and prints before and after balances of both parties", async () => {
    await using cli = await operator()
    await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])

    expect(await cli.run(["transaction", "ana", "10"])).toEqual(done("admin: 0 -> -10\nana: 0 -> 10\n"))
    expect(await cli.run(["transaction", "ana", "5"])).toEqual(done("admin: -10 -> -15\nana: 10 -> 15\n"))
  })

  test("exits with status 1 and a message when the target user is missing", async () => {
    await using cli = await operator()
    const refused = await cli.run(["transaction", "nobody", "10"])
    expect(refused).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("User not found") })
  })

  test.each(["0", "-5", "9007199254740992"])("refuses the value %s, and nothing is recorded", async (value) => {
    await using cli = await operator()
    await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])

    const { status, stdout } = await cli.run(["transaction", "ana", value])
    expect(status).toBeGreaterThan(0)
    expect(stdout).toBe("")
    using database = new Database(cli.file("rewards.db"), { readonly: true })
    expect(database.query("SELECT count(*) AS count FROM transactions").get()).toEqual({ count: 0 })
  })

  test("works beside a running server, whose stream shows it within the polling interval", async () => {
    await using cli = await operator()
    await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])
    await using server = await startServer({ cwd: cli.path })
    const stream = new WebSocket(`${server.url.replace("http", "ws")}/transaction/ws`)
    const frame = new Promise((resolve) => {
      stream.onmessage = ({ data }) => resolve(JSON.parse(data))
    })
    await new Promise((resolve) => {
      stream.onopen = resolve
    })

    expect(await cli.run(["transaction", "ana", "10"])).toMatchObject({ status: 0 })
    expect(await frame).toEqual({ to: "Ana", from: "Admin", value: 10 })
    stream.close()
  })
})

describe("reset-db", () => {
  test("--force drops all tables; the next opening starts anew, with admin", async () => {
    await using cli = await operator()
    await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])

    expect(await cli.run(["reset-db", "--force"])).toMatchObject({ status: 0 })
    const tables = () => {
      using database = new Database(cli.file("rewards.db"), { readonly: true })
      return database.query("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all()
    }
    expect(tables()).toEqual([])
    const { stdout } = await cli.run(["user-list", "--json"])
    expect(JSON.parse(stdout).map(({ username }: { username: string }) => username)).toEqual(["admin"])
  })

  test("without a terminal to ask on and without --force nothing is dropped", async () => {
    await using cli = await operator()
    await cli.run(["create-user", "Ana", "ana@example.com", "secret", "sales"])

    expect(await cli.run(["reset-db"])).toMatchObject({ status: 1, stderr: expect.stringContaining("--force") })
    expect((await cli.run(["user-list"])).stdout).toContain("ana@example.com")
  })

  test("refuses while a server has the database open", async () => {
    await using cli = await operator()
    await using server = await startServer({ cwd: cli.path })

    expect(await cli.run(["reset-db", "--force"])).toMatchObject({ status: 1, stdout: "" })
    expect((await fetch(`${server.url}/user/`)).status).toBe(200)
  })
})

test("init writes a rewards.toml for its user alone with a random secret, and never overwrites one", async () => {
  await using cli = await operator()

  expect(await cli.run(["init"])).toMatchObject({ status: 0, stderr: "" })
  expect(statSync(cli.file("rewards.toml")).mode & 0o777).toBe(0o600)
  const text = await Bun.file(cli.file("rewards.toml")).text()
  const { security } = Bun.TOML.parse(text) as { security: { secret_key: string } }
  expect(Buffer.byteLength(security.secret_key)).toBeGreaterThanOrEqual(32)

  expect(await cli.run(["init"])).toMatchObject({ status: 1, stdout: "" })
  expect(await Bun.file(cli.file("rewards.toml")).text()).toBe(text)
})

test("migrate brings the database up to date and says what it applied", async () => {
  await using cli = await operator()
  expect(JSON.parse((await cli.run(["migrate", "--json"])).stdout)).toContain("0000_init")
  expect(await cli.run(["migrate", "--json"])).toMatchObject({ status: 0, stdout: "[]\n" })
})

test("version prints the version of the application", async () => {
  await using cli = await operator()
  expect((await cli.run(["version"])).stdout).toContain("0.1.0")
})

test("shell runs piped lines in order, with the use cases and the store in scope", async () => {
  await using cli = await operator()
  const lines = "const admin = await store.users.byUsername('admin')\nadmin.name\nawait store.ledger.lastId()\n"
  const { status, stdout } = await cli.run(["shell"], lines)
  expect(status).toBe(0)
  expect(stdout.indexOf("Admin")).toBeGreaterThanOrEqual(0)
  expect(stdout.lastIndexOf("0")).toBeGreaterThan(stdout.indexOf("Admin"))
})

describe("wrong usage exits with status 2", () => {
  test.each([
    ["no command", []],
    ["an unknown command", ["frobnicate"]],
    ["an unknown option", ["user-list", "--frobnicate"]],
    ["a surplus argument", ["user-list", "surplus"]],
    ["a missing argument", ["create-user", "Ana"]],
    ["an option without its value", ["serve", "--port"]],
  ])("%s", async (_, args) => {
    await using cli = await operator()
    const { status, stdout, stderr } = await cli.run(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).not.toBe("")
  })
})

test.each(["serve", "init", "create-user", "user-list", "transaction", "migrate", "reset-db", "shell", "version"])(
  "%s --help shows usage and an example",
  async (command) => {
    await using cli = await operator()
    const { status, stdout } = await cli.run([command, "--help"])
    expect(status).toBe(0)
    expect(stdout).toContain(`rewards ${command}`)
    expect(stdout).toContain("EXAMPLE")
  },
)
