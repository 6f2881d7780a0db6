import { expect, test } from "bun:test"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { loadConfig } from "../../src/config/load.ts"
import { entries, settings } from "../../src/config/settings.ts"
import { done, misused, type Operator, operator, refused } from "./operator.ts"

interface Shown {
  readonly setting: string
  readonly value: unknown
  readonly source: string
}

const secrets = {
  REWARDS_SECURITY__ADMIN_PASSWORD: "swordfish",
  REWARDS_EMAIL__SMTP_USER: "mailer",
  REWARDS_EMAIL__SMTP_PASSWORD: "swordfish",
}

test("config prints every setting with its current value and source, in the order of the table", async () => {
  await using operates = await operator()
  writeFileSync(
    `${operates.folder}/rewards.toml`,
    '[server]\nport = 81\nhost = "::1"\n[cors]\norigins = ["http://a"]\n',
  )
  const env = { REWARDS_SERVER__PORT: "82" }

  const { stdout } = await operates.types(["config", "--json", "--db", "other.db"], { env })

  const shown: Shown[] = JSON.parse(stdout)
  expect(shown.map(({ setting }) => setting)).toEqual(entries.map(({ path }) => path))
  const about = (setting: string) => shown.find((one) => one.setting === setting)
  expect(about("server.host")).toEqual({ setting: "server.host", value: "::1", source: "rewards.toml" })
  expect(about("server.port")).toEqual({
    setting: "server.port",
    value: 82,
    source: "environment REWARDS_SERVER__PORT",
  })
  expect(about("server.base_url")).toEqual({ setting: "server.base_url", value: null, source: "not set" })
  expect(about("cors.origins")).toMatchObject({ value: ["http://a"], source: "rewards.toml" })
  expect(about("db.path")).toEqual({ setting: "db.path", value: "other.db", source: "flag --db" })
  expect(about("session.same_site")).toMatchObject({ value: "lax", source: "built-in default" })
})

test("config prints a table with one row for each setting", async () => {
  await using operates = await operator()

  const { stdout } = await operates.types(["config"])

  const lines = stdout.trimEnd().split("\n")
  expect(lines).toHaveLength(entries.length + 1)
  expect(lines[0]).toMatch(/^setting +value +source$/)
  expect(lines[1]).toMatch(/^server\.host +"127\.0\.0\.1" +built-in default$/)
  expect(stdout).toMatch(/^server\.base_url +not set$/m)
})

test("config hides every secret, whatever its source, and says when one is not set", async () => {
  await using operates = await operator()
  writeFileSync(`${operates.folder}/secret`, "swordfish")
  const env = { ...secrets, REWARDS_SECURITY__SECRET_KEY_FILE: "secret" }

  for (const args of [["config"], ["config", "--json"]]) {
    const { stdout, stderr } = await operates.types(args, { env })
    expect(stdout + stderr).not.toContain("swordfish")
    expect(stdout).toContain("environment REWARDS_SECURITY__SECRET_KEY_FILE (secret)")
    expect(stdout.match(/\(hidden\)/g)).toHaveLength(3)
  }
  expect((await operates.types(["config"])).stdout).toMatch(/^security\.secret_key +not set$/m)
})

test("config reports every fault of an unusable configuration", async () => {
  await using operates = await operator()

  expect(await operates.types(["config"], { env: { REWARDS_SERVER__PORT: "http" } })).toEqual(
    refused(
      "the configuration cannot be used:",
      "  server.port (environment REWARDS_SERVER__PORT): expected a whole number from 0 to 65535",
    ),
  )
})

const secretIn = (path: string) => /^secret_key = "(.*)"$/m.exec(readFileSync(path, "utf8"))?.[1] ?? ""

test("init writes rewards.toml with a random secret, readable by its owner only, and names the next step", async () => {
  await using operates = await operator()
  const path = `${operates.folder}/rewards.toml`

  expect(await operates.types(["init"])).toEqual(
    done("Wrote rewards.toml with a new secret. Next: review its settings, then start the server with: rewards serve"),
  )

  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(Buffer.from(secretIn(path), "base64url")).toHaveLength(32)
})

test("init never overwrites a file", async () => {
  await using operates = await operator()
  const path = `${operates.folder}/rewards.toml`
  writeFileSync(path, "# mine")

  expect(await operates.types(["init"])).toEqual(refused("rewards.toml already exists and was not changed"))

  expect(readFileSync(path, "utf8")).toBe("# mine")
})

test("init writes to the path in --config, with a different secret each time; the file can be used", async () => {
  await using operates = await operator()

  expect(await operates.types(["init", "--config", "a.toml"])).toEqual(
    done(
      "Wrote a.toml with a new secret. Next: review its settings, then start the server with: rewards serve --config a.toml",
    ),
  )
  await operates.types(["init", "--config", `${operates.folder}/b.toml`])

  const secrets = ["a.toml", "b.toml"].map((name) => secretIn(`${operates.folder}/${name}`))
  expect(new Set(secrets).size).toBe(2)
  expect(await operates.types(["migrate", "--config", "a.toml"])).toMatchObject({ status: 0 })
})

test("init says why a file cannot be written", async () => {
  await using operates = await operator()
  await operates.types(["init"])

  expect(await operates.types(["init", "--config", "none/rewards.toml"])).toEqual(
    refused(`cannot write none/rewards.toml: there is no folder ${operates.folder}/none; create it first`),
  )
  expect(await operates.types(["init", "--config", "rewards.toml/x"])).toEqual(
    refused("cannot write rewards.toml/x: a folder in its path is a file; choose another path"),
  )
})

const production = ["init", "--production", "--base-url", "https://rewards.example.com"]
const mailServer = ["--smtp-server", "smtp.example.com"]
const closed =
  'It keeps strangers out: stream.access and directory.access are "auth", the app loads no pictures from other hosts ' +
  "(ui.avatar_hosts), and new passwords have at least 12 characters (security.password_min_length)."
const unaddressed =
  "Nobody reads mail to admin yet, such as requests for rewards: set security.admin_email (--admin-email ADDRESS)."
const next = "Next: review its settings, then start the server with: rewards serve"

/** What `serve` would start with. */
const settingsOf = ({ folder }: Operator) =>
  loadConfig({ cwd: folder, configPath: null, env: {}, flags: {}, underTest: false, needsSecret: true })

test("init --production writes a complete configuration and shows the password of admin once, at the terminal", async () => {
  await using operates = await operator()

  const { stderr, ...rest } = await operates.types([...production, ...mailServer], { stdinIsTerminal: true })

  expect(rest).toEqual({
    status: 0,
    stdout: `Wrote rewards.toml for production, with a new secret.\n${closed}\n${unaddressed}\n${next}\n`,
  })
  const told = /^The first password of admin, shown only now: (([a-z2-9]{4}-){5}[a-z2-9]{4})\n$/.exec(stderr)?.[1]
  const { server, security, email, backup, stream, directory, ui } = settingsOf(operates)
  expect([security.password_min_length, stream.access, directory.access, ui.avatar_hosts]).toEqual([
    12,
    "auth",
    "auth",
    [],
  ])
  expect(server).toMatchObject({ profile: "production", base_url: "https://rewards.example.com" })
  expect(backup).toMatchObject({ every_hours: 24, keep: 14 })
  expect(security.admin_password).toBe(told ?? "none was told")
  expect(Buffer.from(security.secret_key, "base64url")).toHaveLength(32)
  expect(email).toMatchObject({
    debug_mode: false,
    smtp_server: "smtp.example.com",
    smtp_sender: "no-reply@rewards.example.com",
  })
  expect(statSync(`${operates.folder}/rewards.toml`).mode & 0o777).toBe(0o600)
})

test("init --admin-email says who reads mail to admin, also for a database that exists already", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])

  expect(await operates.types([...production, ...mailServer, "--admin-email", "Ana <ana@example.com>"])).toMatchObject({
    status: 1,
  })
  const { stdout } = await operates.types([...production, ...mailServer, "--admin-email", "ana@example.com"])
  expect(stdout).not.toContain("Nobody reads mail")
  expect(settingsOf(operates).security.admin_email).toBe("ana@example.com")
  expect((await operates.types(["user-list"])).stdout).toContain("ana@example.com")
})

test("without a terminal, init --production does not print the password of admin", async () => {
  await using operates = await operator()

  expect(await operates.types([...production, ...mailServer])).toEqual(
    done(
      "Wrote rewards.toml for production, with a new secret.",
      closed,
      unaddressed,
      next,
      "The first password of admin is in rewards.toml, as security.admin_password.",
    ),
  )
})

test("if the database already exists, init --production sets no password for admin", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])

  expect(await operates.types([...production, ...mailServer], { stdinIsTerminal: true })).toEqual(
    done(
      "Wrote rewards.toml for production, with a new secret.",
      closed,
      next,
      "rewards.db already exists: admin keeps the present password.",
    ),
  )
})

test("init lists the settings that are still missing, and serve refuses to start without them", async () => {
  await using operates = await operator()

  const { stdout } = await operates.types([...production, "--smtp-user", "rewards"])

  const [server, password] = [
    "the name of a mail server, since email.debug_mode is false",
    "a password, since email.smtp_user is set and email.oauth_token_url is not",
  ]
  expect(stdout).toContain(
    `Still missing: email.smtp_server: ${server}.\nStill missing: email.smtp_password: ${password}.\n${unaddressed}\n${next}\n`,
  )
  expect(await operates.types(["serve"])).toEqual(
    refused(
      "the configuration cannot be used:",
      `  email.smtp_server (not set): expected ${server}`,
      `  email.smtp_password (not set): expected ${password}`,
    ),
  )
})

test("every option of init sets its setting; the password of the mail server can come from standard input", async () => {
  await using operates = await operator()
  const options = ["--smtp-port=587", "--smtp-user=u", "--smtp-password=-", "--smtp-sender=points@example.com"]

  await operates.types([...production, ...mailServer, ...options], { stdin: 'p"w\\\n' })

  expect(settingsOf(operates).email).toMatchObject({
    smtp_port: 587,
    smtp_user: "u",
    smtp_password: 'p"w\\',
    smtp_sender: "points@example.com",
  })
})

test("without --production, init sets only what its options say", async () => {
  await using operates = await operator()

  const places = ["--db", "/srv/rewards.db", "--trusted-proxies", "127.0.0.1,::1"]
  await operates.types(["init", "--base-url", "http://rewards.local/", ...places, ...mailServer])

  const { server, db, security, email, backup, stream, directory, ui } = settingsOf(operates)
  expect([security.password_min_length, stream.access, directory.access, ui.avatar_hosts]).toEqual([
    1,
    "public",
    "public",
    ["*"],
  ])
  expect(server).toMatchObject({
    profile: "development",
    base_url: "http://rewards.local",
    trusted_proxies: ["127.0.0.1", "::1"],
  })
  expect(db.path).toBe("/srv/rewards.db")
  expect(security.admin_password).toBe("admin")
  expect(backup.every_hours).toBe(0)
  expect(email).toMatchObject({ debug_mode: false, smtp_sender: "no-reply@localhost" })
})

test("init refuses invalid options before it writes anything", async () => {
  await using operates = await operator()

  expect(await operates.types(["init", "--production"])).toEqual(
    misused("--production needs --base-url", "See: rewards init --help"),
  )
  expect(await operates.types(["init", "--production", "--base-url=rewards", "--smtp-port=0"])).toEqual(
    refused(
      "the configuration cannot be used:",
      `  server.base_url (flag --base-url): expected ${settings.server.base_url.kind.expected}`,
      "  email.smtp_port (flag --smtp-port): expected a whole number from 1 to 65535",
    ),
  )
  expect(existsSync(`${operates.folder}/rewards.toml`)).toBe(false)
  writeFileSync(`${operates.folder}/rewards.toml`, "# mine")
  expect(await operates.types([...production, ...mailServer], { stdinIsTerminal: true })).toEqual(
    refused("rewards.toml already exists and was not changed"),
  )
})

const database = "postgres://rewards:s%40cret@db.example.com/rewards"

test("init --postgres takes a database URL, also from standard input, and never prints its password", async () => {
  await using operates = await operator()
  const told = await operates.types(["init", "--postgres", database, "--config", "a.toml"])
  expect(told).toMatchObject({ status: 0, stdout: expect.not.stringContaining("s%40cret") })
  await operates.types(["init", "--postgres", "-", "--config", "b.toml"], { stdin: `${database}\n` })

  for (const name of ["a.toml", "b.toml"]) {
    const configPath = `${operates.folder}/${name}`
    const sources = {
      cwd: operates.folder,
      env: {},
      flags: {},
      underTest: true,
      needsSecret: true as const,
      configPath,
    }
    expect(loadConfig(sources).db.url).toBe(database)
    const { stdout } = await operates.types(["config", "--config", name, "--json"])
    expect(stdout).toContain('"setting": "db.url",\n    "value": "(hidden)"')
    expect(stdout).not.toContain("s%40cret")
  }
})

test("init --postgres accepts only a database URL, and neither --db nor another option that reads standard input beside it", async () => {
  await using operates = await operator()
  expect(await operates.types(["init", "--postgres", "postgres://rewards:s%40cret@db"])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^the configuration cannot be used:\n {2}db\.url \(flag --postgres\): expected a URL such as/,
    ),
  })
  expect(await operates.types(["init", "--postgres", database, "--db", "rewards.db"])).toEqual(
    misused("give --db or --postgres, not both", "See: rewards init --help"),
  )
  expect(await operates.types(["init", "--postgres", "-", "--smtp-password", "-"])).toEqual(
    misused("only one of --postgres and --smtp-password can be read from standard input", "See: rewards init --help"),
  )
  expect(existsSync(`${operates.folder}/rewards.toml`)).toBe(false)
})
