import { expect, test } from "bun:test"
import { commands, nouns } from "../../src/cli/commands.ts"
import { Refusal } from "../../src/cli/support/failures.ts"
import { DomainError } from "../../src/domain/errors.ts"
import { done, misused, operator, refused } from "./operator.ts"

test("rewards --help lists every command or its noun under a heading, one line each", async () => {
  await using ana = await operator()

  const { status, stdout, stderr } = await ana.types(["--help"])

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(commands.length).toBeGreaterThan(10)
  for (const { name, description } of commands) {
    const [first = ""] = name.split(" ")
    const about = name === first ? undefined : nouns[first]
    const [shown, line] = about === undefined ? [name, description] : [first, about]
    expect(stdout.match(new RegExp(`^ +${shown} {4,}${RegExp.escape(line ?? "")}$`, "gm"))).toHaveLength(1)
  }
  expect(stdout).toMatch(/^\nPEOPLE\n\n {2}create-user/m)
  expect(await ana.types(["-h"])).toEqual({ status, stdout, stderr })
})

test("rewards help, also with a command or a noun, is the same as --help behind it", async () => {
  await using ana = await operator()

  for (const words of [[], ["user"], ["user", "import"], ["serve"]])
    expect(await ana.types(["help", ...words])).toEqual(await ana.types([...words, "--help"]))
  expect(await ana.types(["help", "deactivate"])).toEqual(
    misused("unknown command deactivate; did you mean rewards user deactivate?", "See: rewards --help"),
  )
})

test("rewards without arguments prints the same help on standard error", async () => {
  await using ana = await operator()
  const { stdout } = await ana.types(["--help"])

  expect(await ana.types([])).toEqual({ status: 2, stdout: "", stderr: stdout })
})

for (const { name: command } of commands)
  test(`rewards ${command} --help shows its usage with a valid example`, async () => {
    await using ana = await operator()

    const { status, stdout, stderr } = await ana.types([...command.split(" "), "--help"])

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(stdout).toContain(`USAGE rewards ${command}`)
    expect(stdout).toMatch(new RegExp(`\nEXAMPLE\n\n {2}(.+ \\| )?rewards ${command}\\b.*\n$`))
    expect(stdout).not.toContain("\u001b")
    expect(await ana.types([...command.split(" "), "-h", "--unheard-of"])).toEqual({ status, stdout, stderr })
  })

test("rewards session --help lists only the session commands", async () => {
  await using ana = await operator()

  const { status, stdout } = await ana.types(["session", "--help"])

  expect(status).toBe(0)
  expect(stdout).toContain("USAGE rewards session COMMAND")
  expect(stdout).toMatch(/^ +session list {6}[A-Z].+\n +session revoke {4}[A-Z].+$/m)
  expect(stdout).not.toContain("serve")
})

test("help is coloured only on a terminal", async () => {
  await using ana = await operator()
  const plain = await ana.types(["serve", "--help"])

  const coloured = await ana.types(["serve", "--help"], { colour: true })

  expect({ ...coloured, stdout: Bun.stripANSI(coloured.stdout) }).toEqual(plain)
})

test("rewards version and rewards --version print the versions of rewards and Bun", async () => {
  await using ana = await operator()
  const told = done(`rewards 0.1.0 (Bun ${Bun.version})`)

  expect(await ana.types(["version"])).toEqual(told)
  expect(await ana.types(["--version"])).toEqual(told)
})

for (const [args, ...lines] of [
  [["sevre"], "unknown command sevre; did you mean rewards serve?", "See: rewards --help"],
  [[""], "unknown command ", "See: rewards --help"],
  [["deactivate", "ana"], "unknown command deactivate; did you mean rewards user deactivate?", "See: rewards --help"],
  [["set-password"], "unknown command set-password; did you mean rewards user set-password?", "See: rewards --help"],
  [["import-users", "a"], "unknown command import-users; did you mean rewards user import?", "See: rewards --help"],
  [["import"], "unknown command import; did you mean rewards user import?", "See: rewards --help"],
  [["import", "people.csv"], "unknown command import; did you mean rewards user import?", "See: rewards --help"],
  [["users"], "unknown command users; did you mean rewards user?", "See: rewards --help"],
  [["users", "list"], "unknown command users; did you mean rewards user-list?", "See: rewards --help"],
  [["user", "create"], "unknown command user create; did you mean rewards create-user?", "See: rewards user --help"],
  [["points", "gant"], "unknown command points gant; did you mean rewards points grant?", "See: rewards points --help"],
  [["serve", "--prot", "1"], "unknown option --prot; did you mean --port?", "See: rewards serve --help"],
  [["serve", "--hepl"], "unknown option --hepl; did you mean --help?", "See: rewards serve --help"],
  [["--verison"], "unknown option --verison; did you mean --version?", "See: rewards --help"],
  [["toString"], "unknown command toString", "See: rewards --help"],
  [["se\u001b[2Jrve"], "unknown command se\\u{1b}[2Jrve", "See: rewards --help"],
  [["--db=a.db", "user-list"], "unknown option --db; options of a command come after it", "See: rewards --help"],
  [["version", "now"], "no arguments expected", "See: rewards version --help"],
  [["--version", "now"], "no arguments expected", "See: rewards version --help"],
  [["user-list", "ana"], "no arguments expected", "See: rewards user-list --help"],
  [["session"], "one of rewards session list, rewards session revoke", "See: rewards session --help"],
  [["session", "end"], "unknown command session end", "See: rewards session --help"],
  [["session", "list", "ana", "bruno"], "too many arguments: only USERNAME", "See: rewards session list --help"],
  [["list"], "unknown command list", "See: rewards --help"],
  [["serve", "--port"], "option --port needs a value", "See: rewards serve --help"],
] as const)
  test(`wrong usage is exit status 2, with a hint: rewards ${args.join(" ")}`, async () => {
    await using ana = await operator()

    expect(await ana.types(args)).toEqual(misused(...lines))
  })

test("an unusable configuration exits with status 1 and prints each fault on its own line", async () => {
  await using ana = await operator()
  const env = { REWARDS_SERVER__PORT: "http", REWARDS_DB__FILE: "x" }

  expect(await ana.types(["user-list"], { env })).toEqual(
    refused(
      "the configuration cannot be used:",
      "  server.port (environment REWARDS_SERVER__PORT): expected a whole number from 0 to 65535",
      "  db.file (environment REWARDS_DB__FILE): expected one of the keys path, verify_mb, url, pool_size",
    ),
  )
  expect(await ana.types(["user-list", "--config", "none.toml"])).toEqual(
    refused(
      "the configuration cannot be used:",
      "  none.toml: expected a file that can be read: there is no such file",
    ),
  )
})

for (const command of ["serve", "shell"])
  test(`rewards ${command} signs tokens, so it does not start without a secret`, async () => {
    await using ana = await operator()

    expect(await ana.types([command])).toEqual(
      refused(
        "the configuration cannot be used:",
        "  security.secret_key (not set): expected a secret; `rewards init` writes a rewards.toml with a random one",
      ),
    )
  })

test("a command ends quietly if the reader of its output closes the pipe", async () => {
  await using ana = await operator()

  expect(await ana.types(["version"], { broken: "EPIPE" })).toEqual(done())
  expect(await ana.types(["version"], { broken: "ENOSPC" })).toEqual(refused("the disk is full; free space on it"))
})

test("an unexpected error is printed with its stack, and an unknown outcome without a header that only HTTP has", async () => {
  const { explain } = await import("../../src/cli/support/failures.ts")

  expect(explain(new TypeError("surprise"))).toMatch(/^TypeError: surprise\n +at .*run\.test\.ts/)
  expect(explain(new Refusal("foreseen"))).toBe("foreseen")
  expect(explain("thrown")).toBe("thrown")
  expect(explain(new DomainError("outcome_unknown"))).toBe(
    "the database did not say whether this was stored; look before you repeat it",
  )
})

test("a command that works on a database file refuses a PostgreSQL URL, unless --db names a file", async () => {
  await using operates = await operator()
  const env = {
    REWARDS_DB__URL: "postgres://rewards:s3cret@db.example.com/rewards",
    REWARDS_SECURITY__SECRET_KEY: "a secret",
  }
  const why = "db.url names postgres://rewards@db.example.com:5432/rewards, and this command works on a database file: "
  const refusals: [args: string[], instead: string][] = [
    [["backup"], "back up PostgreSQL with pg_dump, or write a database file with `rewards copy --to FILE`"],
    [
      ["restore", "x"],
      "restore a dump with pg_restore into an empty database, or copy a backup file there with " +
        "`rewards copy --db FILE --to postgres://...`",
    ],
  ]
  for (const [args, instead] of refusals) expect(await operates.types(args, { env })).toEqual(refused(why + instead))
  const db = `${operates.folder}/a.db`
  expect(await operates.types(["migrate", "--db", db], { env })).toMatchObject({ status: 0 })
  expect(await operates.types(["verify", "--db", db], { env })).toEqual(done("0 transactions, nothing wrong"))
})
