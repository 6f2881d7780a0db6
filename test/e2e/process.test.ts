import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { refused } from "../cli/operator.ts"
import { plainly } from "../storage/files.ts"
import * as answers from "../support/answers.ts"
import { callerOf } from "../support/credentials.ts"
import {
  type Environment,
  executable,
  runCommand,
  type StartedServer,
  startServer,
  temporaryFolder,
} from "../support/executable.ts"
import { converse } from "./terminal.ts"

/** Every line that is no request, as level and message. */
const told = ({ stderr }: StartedServer): string[] =>
  stderr
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message !== "request")
    .map(({ level, message }) => `${level}: ${message}`)

/** What a stop says last. The check of admin's password takes a while and may warn in between. */
const endOf = (server: StartedServer): string[] =>
  told(server)
    .filter((line) => line.startsWith("info: "))
    .slice(-2)

/** Waits for a line with this message. */
async function logs({ stderr }: StartedServer, message: string) {
  while (!stderr.some((line) => line.includes(`"message":"${message}"`))) await Bun.sleep(5)
}

/** A stream that has been opened, and the code that it will be closed with. */
async function watch({ url }: StartedServer): Promise<{ closed: Promise<number> }> {
  const stream = new WebSocket(`${url.replace("http", "ws")}/transaction/ws`)
  const closed = new Promise<number>((resolve) => stream.addEventListener("close", ({ code }) => resolve(code)))
  await new Promise((resolve) => stream.addEventListener("open", resolve))
  return { closed }
}

const logIn = async ({ url }: Pick<StartedServer, "url">, password = "admin"): Promise<number> => {
  const body = new URLSearchParams({ username: "admin", password })
  return (await fetch(`${url}/token`, { method: "POST", body })).status
}

/** A request that has begun and does not end. */
async function beginRequest({ url }: StartedServer) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.write("POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n")
  socket.write("Content-Length: 100\r\n\r\nusername=")
  // Answered behind it, so that it has been read by now.
  await logIn({ url })
}

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`${signal} lets running requests finish, closes the streams with 1001 and ends with exit status 0`, async () => {
    await using folder = await temporaryFolder()
    await using server = await startServer({ cwd: folder.path })
    const streams = await Promise.all([watch(server), watch(server)])
    const logIns = Array.from({ length: 10 }, () => logIn(server))
    await Promise.race(logIns)
    await fetch(server.url) // answered behind the others, so that all have been read by now

    const status = await server.stop(signal)

    expect(status).toBe(0)
    expect(await Promise.all(logIns)).toEqual(Array(10).fill(200))
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([1001, 1001])
    expect(endOf(server)).toEqual(["info: stopping", "info: stopped"])
    expect(await fetch(server.url).catch(() => "refused")).toBe("refused")
    expect(readdirSync(folder.path).sort()).toEqual([".rewards.db.lock", "rewards.db", "rewards.db.mark"])
  })

test("a request that never ends does not prevent a stop", async () => {
  await using server = await startServer()
  await beginRequest(server)

  expect(await server.stop()).toBe(0)
  expect(endOf(server)).toEqual(["info: stopping", "info: stopped"])
}, 120_000)

for (const [signal, status] of [
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)
  test(`a second ${signal} ends the process at once`, async () => {
    // On a busy machine the first signal may have ended the process before the second comes.
    for (let ended = 0; ended !== status; ) {
      await using server = await startServer()
      await beginRequest(server)
      server.process.kill("SIGTERM")
      await logs(server, "stopping")
      await Bun.sleep(600) // one that follows sooner may be the same Ctrl-C

      ended = await server.stop(signal)
      expect(told(server).includes("info: stopped")).toBe(ended === 0)
      expect([0, status]).toContain(ended)
    }
  })

test("the server listens, then prints its address and one line for every unsafe setting", async () => {
  await using server = await startServer({ env: { REWARDS_SECURITY__SECRET_KEY: "short" } })
  while (told(server).length < 6) await Bun.sleep(5)

  expect(JSON.parse(server.stderr[0] ?? "")).toEqual({
    time: expect.any(String),
    level: "info",
    message: "listening",
    url: server.url,
    profile: "development",
    database: join(server.cwd, "rewards.db"),
    version: "0.1.0",
    pid: server.pid,
  })
  expect(told(server).slice(1)).toEqual([
    "warn: security.secret_key: production requires at least 32 bytes, so that nobody can guess it",
    "warn: email.debug_mode: production requires false, so that reset tokens are sent instead of written to a file",
    "warn: security.password_min_length: production requires at least 8, so that passwords are hard to guess",
    "warn: security.admin_password: admin has the default password; production refuses to start with it",
    `info: Open ${server.url} and log in as admin with the password admin`,
  ])
})

test("only the first start says where to open the app and who to log in as, at a terminal in words", async () => {
  await using folder = await temporaryFolder()
  const env = { REWARDS_SECURITY__SECRET_KEY: "a secret of at least thirty-two bytes" }
  const atTerminal = async () => {
    await using serve = converse(["serve", "--port", "0"], folder.path, env)
    await serve.sees("admin has the default password")
    serve.interrupts()
    expect(await serve.ends()).toBe(0)
    return serve.shown().match(/^.*Open .*$/gm) ?? []
  }

  expect(await atTerminal()).toEqual([
    expect.stringMatching(/^Open http:\S+ and log in as admin with the password admin\s*$/),
  ])
  expect(await atTerminal()).toEqual([])
})

test("the first start of a server that listens on every address names one that a browser can open", async () => {
  for (const host of ["0.0.0.0", "::"]) {
    await using everywhere = await startServer({ args: ["--host", host] })
    const { port } = new URL(everywhere.url)
    expect(told(everywhere)).toContain(
      `info: Open http://localhost:${port} and log in as admin with the password admin`,
    )
  }
})

test("a server that listens for other machines warns that links in e-mail need server.base_url", async () => {
  const warning = expect.stringMatching(/^warn: server.base_url is not set: links in e-mail begin with http:/)
  await using open = await startServer({ args: ["--host", "0.0.0.0"] })
  await using named = await startServer({
    args: ["--host", "0.0.0.0"],
    env: { REWARDS_SERVER__BASE_URL: "https://rewards.example.com" },
  })

  expect(told(open)).toContainEqual(warning)
  expect(told(named)).not.toContainEqual(warning)
})

test("a missing secret stops the start before anything is touched; the message names the setting and rewards init", async () => {
  await using folder = await temporaryFolder()
  const env = { REWARDS_SECURITY__SECRET_KEY: undefined }

  expect(await runCommand(["serve", "--port", "0"], { cwd: folder.path, env })).toEqual(
    refused(
      "the configuration cannot be used:",
      "  security.secret_key (not set): expected a secret; `rewards init` writes a rewards.toml with a random one",
    ),
  )
  expect(readdirSync(folder.path)).toEqual([])

  await runCommand(["init"], { cwd: folder.path, env })
  await using server = await startServer({ cwd: folder.path, env })
  expect(await logIn(server)).toBe(200)
})

const production: Environment = {
  REWARDS_SERVER__PROFILE: "production",
  REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "8",
  REWARDS_EMAIL__DEBUG_MODE: "false",
  REWARDS_EMAIL__SMTP_SERVER: "mail.example.com",
}
const defaultPasswordRefused =
  "security.admin_password: production does not start while admin has the default password; set it before the " +
  "database is created, or change it with `rewards user set-password admin`"

test("production refuses a short secret, email.debug_mode, short passwords and the default password, all at once", async () => {
  await using folder = await temporaryFolder()
  const env = { REWARDS_SERVER__PROFILE: "production", REWARDS_SECURITY__SECRET_KEY: "short" }
  const options = { cwd: folder.path, env }
  const told = ["secret_key", "debug_mode", "password_min_length", "admin_password"].map((key) =>
    expect.stringMatching(new RegExp(`^  \\w+\\.${key} `)),
  )
  const serving = async (more: Environment = {}) => {
    const { status, stderr } = await runCommand(["serve", "--port", "0"], { ...options, env: { ...env, ...more } })
    return [status, ...stderr.trimEnd().split("\n").slice(1)]
  }

  expect(await serving()).toEqual([1, ...told])
  expect(await serving({ REWARDS_SECURITY__ADMIN_PASSWORD: "hers alone" })).toEqual([1, ...told.slice(0, 3)])
  await runCommand(["migrate"], { cwd: folder.path })
  expect(await serving({ REWARDS_SECURITY__ADMIN_PASSWORD: "too late for this database" })).toEqual([1, ...told])
  await runCommand(["user", "set-password", "admin", "hers alone"], { cwd: folder.path })
  expect(await serving()).toEqual([1, ...told.slice(0, 3)])
})

test("production refuses the default admin password before it creates a database, and in an existing one", async () => {
  await using folder = await temporaryFolder()
  const options = { cwd: folder.path, env: production }

  expect(await runCommand(["serve", "--port", "0"], options)).toEqual(refused(defaultPasswordRefused))
  expect(readdirSync(folder.path)).toEqual([])

  await runCommand(["migrate"], options)
  const env = { ...production, REWARDS_SECURITY__ADMIN_PASSWORD: "too late for this database" }
  expect(await runCommand(["serve", "--port", "0"], { ...options, env })).toEqual(refused(defaultPasswordRefused))
})

for (const [what, password] of [
  ["shorter than new passwords must be", "short"],
  ["among the most common ones", "Password1"],
])
  test(`production refuses a first admin password that is ${what}, before it creates a database`, async () => {
    await using folder = await temporaryFolder()
    const env = { ...production, REWARDS_SECURITY__ADMIN_PASSWORD: password }

    expect(await runCommand(["serve", "--port", "0"], { cwd: folder.path, env })).toEqual(
      refused(
        "security.admin_password: production does not start with this first password of admin; choose one of at least 8 characters " +
          "that is not among the most common passwords",
      ),
    )
    expect(readdirSync(folder.path)).toEqual([])
  })

test("in production no common password can be set, over HTTP or by command", async () => {
  const env = { ...production, REWARDS_SECURITY__ADMIN_PASSWORD: "hers alone" }
  await using server = await startServer({ env })
  const admin = await callerOf(server.url, { username: "admin", password: "hers alone" })
  const tooCommon = "password: none of the most common passwords"
  const ana = { name: "Ana", email: "ana@example.com", dept: "sales" }

  expect(await admin.post("/user/", { ...ana, password: "iloveyou1" })).toEqual(answers.refused(422, tooCommon))
  expect((await admin.post("/user/", { ...ana, password: "hers alone too" })).status).toBe(201)
  for (const password of ["QWERTYUIOP", "1234567890"])
    expect(await admin.post("/user/ana/password/", { password, password_confirm: password })).toEqual(
      answers.refused(422, tooCommon),
    )
  const options = { cwd: server.cwd, env }
  expect(await runCommand(["user", "set-password", "ana", "sunshine1"], options)).toEqual(refused(tooCommon))
  expect(await runCommand(["create-user", "Bruno", "bruno@example.com", "sunshine1", "sales"], options)).toEqual(
    refused(tooCommon),
  )
})

test("production starts without a warning if admin has another password from the start", async () => {
  await using server = await startServer({ env: { ...production, REWARDS_SECURITY__ADMIN_PASSWORD: "hers alone" } })

  expect(await logIn(server, "hers alone")).toBe(200)
  expect(await server.stop()).toBe(0)
  expect(told(server)).toEqual([
    "info: listening",
    `info: Open ${server.url} and log in as admin with the password in security.admin_password`,
    "info: stopping",
    "info: stopped",
  ])
})

test("a port in use stops the start with one line", async () => {
  await using server = await startServer()
  const { port } = new URL(server.url)

  expect(await runCommand(["serve", "--port", port])).toEqual(
    refused(`port ${port} on 127.0.0.1 is in use; end the other process or set server.port`),
  )
})

for (const [host, line] of [
  [
    "192.0.2.1",
    "port 0 on 192.0.2.1 cannot be listened on: no network of this machine has that address; set server.host",
  ],
  ["nowhere.invalid", "the name nowhere.invalid is not known; set server.host"],
] as const)
  test(`an address that this machine does not have stops the start with one line: ${host}`, async () => {
    expect(await runCommand(["serve", "--host", host, "--port", "0"])).toEqual(refused(line))
  })

for (const [what, path, prepare, reason] of [
  [
    "below a file",
    "file/rewards.db",
    (folder: string) => writeFileSync(join(folder, "file"), ""),
    "a folder in its path is a file; choose another path",
  ],
  [
    "that is a letter",
    "letter.db",
    (folder: string) => writeFileSync(join(folder, "letter.db"), "Dear Ana,\nno points here.\n".repeat(100)),
    "it is not a database of rewards; name another file in db.path",
  ],
  [
    "of another program",
    "photos.db",
    (folder: string) => {
      using client = plainly(join(folder, "photos.db"))
      client.run("CREATE TABLE photos (id INTEGER)")
    },
    "it belongs to another program; name another file in db.path",
  ],
  [
    "of a newer version",
    "newer.db",
    async (folder: string) => {
      await runCommand(["migrate", "--db", "newer.db"], { cwd: folder })
      using client = plainly(join(folder, "newer.db"))
      client.run("INSERT INTO migrations VALUES ('9999_of_tomorrow', 'hash', 1)")
    },
    "it was written by a newer version of rewards (migration 9999_of_tomorrow); run that version or a later one",
  ],
] as const)
  test(`a database ${what} stops the start, and every command, with one line that names the cure`, async () => {
    await using folder = await temporaryFolder()
    await prepare(folder.path)
    const refusal = refused(`cannot use the database ${path}: ${reason}`)

    for (const command of [
      ["serve", "--port", "0"],
      ["migrate"],
      ...(existsSync(join(folder.path, path)) ? [["user-list"], ["shell"]] : []),
    ])
      expect(await runCommand([...command, "--db", path], { cwd: folder.path })).toEqual(refusal)
  })

test("only rewards.toml is read from the working directory", async () => {
  await using folder = await temporaryFolder()
  for (const [name, text] of [
    [".env", "REWARDS_UNHEARD__OF=1\n"],
    [".env.local", "REWARDS_UNHEARD__OF=1\n"],
    [".env.production", "REWARDS_UNHEARD__OF=1\n"],
    ["bunfig.toml", 'preload = ["./missing.ts"]\n'],
    ["package.json", "{ this is not JSON"],
    ["tsconfig.json", "{ this is not JSON"],
  ] as const)
    writeFileSync(join(folder.path, name), text)

  await using server = await startServer({ cwd: folder.path })
  expect(await logIn(server)).toBe(200)
  expect(await runCommand(["shell"], { cwd: folder.path, stdin: "1 + 1" })).toMatchObject({ status: 0, stdout: "2\n" })

  writeFileSync(join(folder.path, "rewards.toml"), "[unheard]\nof = 1\n")
  expect(await runCommand(["user-list"], { cwd: folder.path })).toMatchObject({ status: 1 })
})

test("created files have mode 0600 and folders 0700, whatever the umask", async () => {
  await using folder = await temporaryFolder()
  const outer = process.umask(0)
  try {
    await runCommand(["init"], { cwd: folder.path })
    await using server = await startServer({
      cwd: folder.path,
      args: ["--db", "rewards.db"],
      env: { REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0" },
    })
    await fetch(`${server.url}/user/pwd_reset_token/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "admin@localhost" }),
    })
    await runCommand(["backup", "--db", "rewards.db"], { cwd: folder.path })
    const contents = () => (readdirSync(folder.path, { recursive: true }) as string[]).sort()
    for (const late of ["email.log", "rewards.db.mark"]) while (!contents().includes(late)) await Bun.sleep(20)

    const modes = contents().map((name) => {
      const { mode } = statSync(join(folder.path, name))
      return `${name.replace(/\d{8}T\d{6}Z/, "TIME")} ${(mode & 0o777).toString(8)}`
    })
    expect(modes).toEqual([
      ".rewards.db.lock 600",
      "backups 700",
      "backups/rewards-TIME.db 600",
      "email.log 600",
      "rewards.db 600",
      "rewards.db-shm 600",
      "rewards.db-wal 600",
      "rewards.db.mark 600",
      "rewards.toml 600",
    ])
  } finally {
    process.umask(outer)
  }
})

test("a server ends with status 1 if its database is removed, and restore waits until it has ended", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  await using server = await startServer({ cwd })
  expect(await runCommand(["backup", "kept.db"], { cwd })).toMatchObject({ status: 0 })
  server.process.kill("SIGSTOP") // it cannot notice, and must keep the restore out all the same
  for (const name of readdirSync(cwd)) if (name.startsWith("rewards.db")) rmSync(join(cwd, name))

  expect(await runCommand(["restore", "kept.db"], { cwd })).toEqual(
    refused(
      "cannot use the database rewards.db: another process has it open; " +
        "stop `rewards serve` and every other rewards command",
    ),
  )

  server.process.kill("SIGCONT")
  expect(await server.process.exited).toBe(1)
  expect(server.stderr.at(-1)).toContain("rewards.db was removed or replaced while it was open")
  expect(await runCommand(["restore", "kept.db"], { cwd })).toMatchObject({ status: 0 })
})

test("several processes that start at once on one new database all succeed", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const people = ["ana", "bruno", "carla"]

  const [servers, created] = await Promise.all([
    Promise.all([startServer({ cwd }), startServer({ cwd })]),
    Promise.all(people.map((name) => runCommand(["create-user", name, `${name}@example.com`, "x", "sales"], { cwd }))),
  ])

  expect(created.map(({ status, stdout, stderr }) => `${status} ${stdout}${stderr}`)).toEqual(
    people.map((name) => `0 User ${name} created\n`),
  )
  const { stdout } = await runCommand(["user-list", "--json"], { cwd })
  const usernames = JSON.parse(stdout).map(({ username }: { username: string }) => username)
  expect(usernames.sort()).toEqual(["admin", ...people])
  for (const server of servers) {
    expect(await logIn(server)).toBe(200)
    expect(await server.stop()).toBe(0)
  }
})

test("a failed commit ends the process with exit status 1, and what was acknowledged is kept", async () => {
  await using folder = await temporaryFolder()
  await runCommand(["migrate"], { cwd: folder.path })
  // No file may grow beyond 200 KiB: a disk that is full, for the write-ahead log. Its own log goes to a pipe.
  const line = `trap '' XFSZ; ulimit -f 400; exec "${executable}" serve --port 0`
  const child = Bun.spawn(["sh", "-c", line], {
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: "a secret for tests alone" },
    stderr: "pipe",
  })
  let log = ""
  const read = (async () => {
    for await (const bytes of child.stderr) log += new TextDecoder().decode(bytes)
  })()
  while (!log.includes('"listening"')) await Bun.sleep(5)
  const url = /"url":"([^"]+)"/.exec(log)?.[1] ?? ""
  const form = new URLSearchParams({ username: "admin", password: "admin" })
  const { access_token } = await (await fetch(`${url}/token`, { method: "POST", body: form })).json()

  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" }
  const send = () => fetch(`${url}/transaction/admin/`, { method: "POST", headers, body: '{"value":1}' })
  let acknowledged = 0
  while ((await send().catch(() => null))?.status === 201) acknowledged += 1
  await read

  expect(await child.exited).toBe(1)
  expect(log).toContain('"message":"exiting: the database failed, and its state on disk is unknown"')
  expect(acknowledged).toBeGreaterThan(0)
  await runCommand(["migrate"], { cwd: folder.path })
  using client = plainly(join(folder.path, "rewards.db"))
  expect(client.query("SELECT count(*) AS count FROM transactions").get()).toEqual({ count: acknowledged })
})

test("the process writes no secret and no password to its output", async () => {
  await using folder = await temporaryFolder()
  const env = { REWARDS_SECURITY__ADMIN_PASSWORD: "a password of admin" }
  await using server = await startServer({ cwd: folder.path, env })
  await logIn(server, "a password of admin")
  await logIn(server, "a wrong password")
  await server.stop()

  expect(server.stderr.join("\n")).not.toMatch(/a secret for tests|a password of admin|a wrong password|eyJ/)
  expect(readFileSync(join(folder.path, "rewards.db")).includes("a password of admin")).toBe(false)
})
