import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`${signal} closes open streams with 1001 and ends with status 0`, async () => {
    await using server = await startServer()
    const stream = new WebSocket(`${server.url.replace("http", "ws")}/transaction/ws`)
    await new Promise((resolve) => {
      stream.onopen = resolve
    })
    const closed = new Promise<number>((resolve) => {
      stream.onclose = ({ code }) => resolve(code)
    })

    expect(await server.stop(signal)).toBe(0)
    expect(await closed).toBe(1001)
  })

test("a login that runs when the signal comes is answered", async () => {
  await using server = await startServer()
  const login = fetch(`${server.url}/token`, {
    method: "POST",
    body: new URLSearchParams({ username: "admin", password: "admin" }),
  })
  await Bun.sleep(15) // the hash takes longer than that
  expect(await server.stop()).toBe(0)
  expect((await login).status).toBe(200)
})

test("a missing secret stops the start with status 1, naming the setting and the cure", async () => {
  const { status, stdout, stderr } = await runCommand(["serve"], { env: { REWARDS_SECURITY__SECRET_KEY: undefined } })
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" })
  expect(stderr).toContain("security.secret_key")
  expect(stderr).toContain("rewards init")
})

test("a port in use stops the start with one clear line", async () => {
  await using server = await startServer()
  const port = new URL(server.url).port
  const { status, stderr } = await runCommand(["serve", "--port", port])
  expect(status).toBe(1)
  expect(stderr).toContain(`port ${port} on 127.0.0.1 is in use; end the other process or set server.port`)
})

test("a folder that cannot be, a file that is no database, another program's: status 1 and the cure", async () => {
  await using folder = await temporaryFolder()
  await Bun.write(join(folder.path, "text"), "Dear Ana, these are no points.\n".repeat(500))
  {
    using foreign = new Database(join(folder.path, "foreign.db"))
    foreign.run("CREATE TABLE songs (title TEXT)")
  }
  const refusal = async (db: string) => {
    const { status, stderr } = await runCommand(["serve", "--port", "0", "--db", db], { cwd: folder.path })
    return { status, lines: stderr.trim().split("\n").length, stderr }
  }

  expect(await refusal("text/x.db")).toMatchObject({
    status: 1,
    lines: 1,
    stderr: expect.stringContaining("cannot be"),
  })
  expect(await refusal("text")).toMatchObject({
    status: 1,
    lines: 1,
    stderr: expect.stringContaining("it is not a database of rewards"),
  })
  expect(await refusal("foreign.db")).toMatchObject({
    status: 1,
    lines: 1,
    stderr: expect.stringContaining("it belongs to another program"),
  })
})

test("the .env and bunfig.toml of the working directory are not read", async () => {
  await using folder = await temporaryFolder()
  await Bun.write(join(folder.path, ".env"), "REWARDS_SERVER__PROFILE=nonsense\n")
  await Bun.write(join(folder.path, "bunfig.toml"), 'preload = ["./missing.ts"]\n')
  await using server = await startServer({ cwd: folder.path })
  expect((await fetch(`${server.url}/user/`)).status).toBe(200)
})

test("what it creates is for its user alone", async () => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ cwd: folder.path, args: ["--db", "data/points/rewards.db"] })
  expect((await fetch(`${server.url}/user/`)).status).toBe(200)

  const modeOf = (path: string) => (statSync(join(folder.path, path)).mode & 0o777).toString(8)
  expect(modeOf("data")).toBe("700")
  expect(modeOf("data/points")).toBe("700")
  for (const file of ["rewards.db", "rewards.db-wal", "rewards.db-shm"])
    expect(modeOf(`data/points/${file}`)).toBe("600")
})

test("several first starters on one new database all find it ready", async () => {
  await using folder = await temporaryFolder()
  const started = await Promise.all(
    Array.from({ length: 4 }, () => runCommand(["user-list", "--json"], { cwd: folder.path })),
  )
  for (const { status, stdout } of started) {
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(1)
  }
})

test("production refuses the default admin password, a short secret and debug e-mail, and creates nothing", async () => {
  await using folder = await temporaryFolder()
  const { status, stderr } = await runCommand(["serve", "--port", "0"], {
    cwd: folder.path,
    env: { REWARDS_SERVER__PROFILE: "production", REWARDS_SECURITY__SECRET_KEY: "short" },
  })
  expect(status).toBe(1)
  expect(stderr).toContain("security.secret_key")
  expect(stderr).toContain("email.debug_mode")
  expect(existsSync(join(folder.path, "rewards.db"))).toBe(false)
})
