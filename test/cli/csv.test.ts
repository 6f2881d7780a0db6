import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { writePieces } from "../../src/cli/support/terminal.ts"
import { refusalOf } from "../storage/contract/people.ts"
import { temporaryFolder } from "../support/executable.ts"
import { done, misused, operator, operatorWithDatabase, refused } from "./operator.ts"

const people = "name,email,dept\nAna,ana@example.com,sales\nBruno,bruno@example.com,sales\n"

test("user import creates and changes people from a file or standard input, and prints how many", async () => {
  await using operates = await operatorWithDatabase()
  await Bun.write(`${operates.folder}/people.csv`, people)

  expect(await operates.types(["user", "import", "people.csv", "--dry-run"])).toEqual(
    done("2 users would be created, 0 updated, 0 unchanged"),
  )
  expect(await operates.types(["user", "import", "people.csv"])).toEqual(
    done("2 users created, 0 updated, 0 unchanged"),
  )
  const stdin = people.replace("Bruno,bruno@example.com,sales", "Bruno,bruno@example.com,support")
  expect(await operates.types(["user", "import", "-", "--json"], { stdin })).toEqual(
    done(...JSON.stringify({ created: 0, updated: 1, unchanged: 1 }, null, 2).split("\n")),
  )
  const leaver = { stdin: "username,active\nana,no\n" }
  expect(await operates.types(["user", "import", "-", "--dry-run"], leaver)).toEqual(
    done("0 users would be created, 1 updated (1 deactivated), 0 unchanged"),
  )

  const { stdout } = await operates.types(["audit", "--action", "users_imported", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([
    { who: "olga", way: "command line", detail: "2 created, 0 updated, 0 unchanged" },
    { who: "olga", way: "command line", detail: "0 created, 1 updated, 1 unchanged" },
  ])
})

test("user import prints one line for each wrong row and changes nothing", async () => {
  await using operates = await operatorWithDatabase()
  const stdin = "name,email,dept\nAna,ana,sales\nBruno,bruno@example.com,\n"
  const refusal = refused(
    "row 2, email: one plain address of at most 254 characters",
    "row 3, dept: 1 to 100 visible characters on one line",
  )

  expect(await operates.types(["user", "import", "-", "--dry-run"], { stdin })).toEqual(refusal)
  expect(await operates.types(["user", "import", "-"], { stdin })).toEqual(refusal)

  const { stdout } = await operates.types(["user-list", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([{ username: "admin" }])
})

test("user import says how it reads the file of a system, and which options help", async () => {
  await using operates = await operatorWithDatabase()
  const rows = ["Vorname;Nachname;E-Mail;Abteilung;Beginn;Einstellungsdatum;Status"]
  rows.push("Jörg;Müller;joerg@example.com;Vertrieb;8 Uhr;1/2/2024;Aktiv", "Old;One;;;;;Inaktiv")
  const stdin = Buffer.from(rows.join("\r\n"), "latin1")
  const types = (...args: string[]) => operates.types(["user", "import", "-", ...args], { stdin })

  expect(await types("--dry-run")).toEqual(
    refused(
      'unknown column "Beginn": leave out what nobody knows with --ignore-unknown, or say with --columns what it means',
      "row 2, joined: it can begin with the day or the month; say which with dates, dmy or mdy",
    ),
  )
  const known = "Vorname as first_name, Nachname as last_name, E-Mail as email, Abteilung as dept"
  const cured = ["--ignore-unknown", "--dates", "mdy", "--preset", "personio"]
  expect(await types("--dry-run", ...cured)).toEqual(
    done(
      `read as Windows-1252, separated by semicolons: ${known}, Einstellungsdatum as joined, Status as status`,
      "left out: Beginn",
      "dates with slashes begin with the month",
      "1 row left out, of people who left and were never here",
      "1 user would be created, 0 updated, 0 unchanged",
    ),
  )
  const columns = ["--columns", '{"Beginn": null, "Einstellungsdatum": null}']
  const { stdout } = await types("--dry-run", "--json", ...columns)
  expect(JSON.parse(stdout)).toMatchObject({ encoding: "Windows-1252", separator: ";", unknown: [], dates: null })
  expect(await types(...cured)).toEqual(done("1 user created, 0 updated, 0 unchanged"))
  expect((await operates.types(["user-list"])).stdout).toContain("Jörg Müller")
  expect(await types("--preset", "sap")).toMatchObject({ status: 2 })
  expect(await types("--columns", '{"Beginn": "soul"}')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("columns: a JSON object of headers, each with null or one of username"),
  })
})

test("user import refuses a file that cannot be read; a missing argument is wrong usage", async () => {
  await using operates = await operatorWithDatabase()

  expect(await operates.types(["user", "import", "missing.csv"])).toEqual(
    refused("cannot read missing.csv: there is no such file"),
  )
  expect(await operates.types(["user", "import", "/dev/null"])).toEqual(
    refused("row 1, the header must name the columns, with username, name, or first and last name among them"),
  )
  expect(await operates.types(["user", "import"])).toEqual(misused("missing FILE", "See: rewards user import --help"))
})

test("an export gets its file name only once it is complete, so an interrupted one leaves no file of that name", async () => {
  await using folder = await temporaryFolder()
  const path = `${folder.path}/users.csv`
  const seen: boolean[] = []
  async function* pieces() {
    yield "name\n"
    seen.push(existsSync(path))
    yield "Ana\n"
  }

  await writePieces(path, "users.csv", pieces())

  expect(seen).toEqual([false])
  expect(readFileSync(path, "utf8")).toBe("name\nAna\n")
  expect(readdirSync(folder.path)).toEqual(["users.csv"])
  async function* late() {
    yield "name\n"
    writeFileSync(path, "somebody else's")
  }
  rmSync(path)
  expect(await refusalOf(writePieces(path, "users.csv", late()))).toMatchObject({
    message: "users.csv already exists and was not changed",
  })
  expect(readFileSync(path, "utf8")).toBe("somebody else's")
  expect(readdirSync(folder.path)).toEqual(["users.csv"])
})

test("user import --invite queues an invitation for each new person; the server sends it", async () => {
  await using operates = await operator()
  await operates.types(["user", "import", "-"], { stdin: people.split("\n").slice(0, 2).join("\n") })

  await operates.types(["user", "import", "-", "--invite"], { stdin: people })

  using rows = new Database(operates.database, { readonly: true })
  expect(rows.query("SELECT kind, payload, state FROM jobs").all()).toEqual([
    { kind: "invitation", payload: '{"email":"bruno@example.com"}', state: "available" },
  ])
})

const bom = "\uFEFF"
const now = () => Date.UTC(2026, 0, 5, 9)

async function operatorWithAna() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"], { now })
  await operates.types(["transaction", "ana", "10"], { now })
  return operates
}

test("export writes all users or all transactions to standard output", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["export", "users"])).toEqual({
    status: 0,
    stdout: `${bom}username,name,email,dept,currency,avatar,bio,birthday,joined,manager,active,balance\r
admin,Admin,admin@localhost,management,USD,,,,,,yes,-10\r
ana,Ana,ana@example.com,sales,USD,,,,,,yes,10\r\n`,
    stderr: "",
  })
  const { stdout } = await operates.types(["export", "transactions"])
  expect(stdout.split("\r\n").slice(1, -1)).toHaveLength(1)
  expect(stdout).toContain("1,2026-01-05 09:00:00,UTC,transfer,admin,Admin,management,ana,Ana,sales,10")

  const entries = await operates.types(["audit", "--action", "exported", "--json"])
  expect(JSON.parse(entries.stdout)).toMatchObject([
    { who: "olga", detail: "users" },
    { who: "olga", detail: "transactions" },
  ])
})

test("`-` as the file name means standard output", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["export", "users", "-"])).toEqual(await operates.types(["export", "users"]))
})

test("export writes a new file for its owner only and never overwrites one; user import accepts that file", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["export", "users", "users.csv"])).toEqual(done())
  expect(await operates.types(["export", "users", "users.csv"])).toEqual(
    refused("users.csv already exists and was not changed"),
  )
  expect(await operates.types(["export", "users", "missing/users.csv"])).toEqual(
    refused(`cannot write missing/users.csv: there is no folder ${operates.folder}/missing; create it first`),
  )

  expect(statSync(`${operates.folder}/users.csv`).mode & 0o777).toBe(0o600)
  expect(await operates.types(["user", "import", "users.csv"])).toEqual(done("0 users created, 0 updated, 2 unchanged"))
})

/** As an older version stored it: today no field takes these characters. */
const driving = "\x1b[31mred\x1b]0;title\x07\n\x9b2J\rover\u202e"

async function operatorWithDrivingText() {
  const operates = await operatorWithAna()
  using client = Object.assign(new Database(operates.database), {
    [Symbol.dispose]() {
      client.close()
    },
  })
  client.run("UPDATE users SET name = ?1, bio = ?1, dept = ?1 WHERE username = 'ana'", [driving])
  client.run(
    "INSERT INTO audit (at, action, who, whom, way, count, detail) VALUES (0, 'login', ?1, ?1, 'http', 1, ?1)",
    [driving],
  )
  client.run("INSERT INTO sessions (id_hash, username, expires_at, address) VALUES ('x', ?1, 9e15, ?1)", [driving])
  return operates
}

test("control characters in stored text never reach a terminal; exports to a pipe or file contain them unchanged", async () => {
  await using operates = await operatorWithDrivingText()

  const lists = [
    ["user-list"],
    ["audit"],
    ["session", "list"],
    ["transaction", "ana", "1"],
    ["points", "grant", "1", "--to", "ana"],
  ]
  for (const args of [...lists, ...lists.map((words) => [...words, "--json"]), ["export", "users"], ["doctor"]]) {
    const { stdout } = await operates.types(args, { now, stdoutIsTerminal: true })
    expect(stdout.replaceAll("\r\n", "\n")).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  }
  const { stdout } = await operates.types(["user-list", "--json"])
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: driving, dept: driving }))

  expect((await operates.types(["export", "users"])).stdout).toContain(`"${driving}"`)
  await operates.types(["export", "users", "users.csv"])
  expect(await Bun.file(`${operates.folder}/users.csv`).text()).toContain(`"${driving}"`)
})

test("an error message about a typed argument contains no control characters", async () => {
  await using operates = await operator()
  for (const args of [
    ["transaction", driving, "1"],
    ["points", "grant", "1", "--to", driving],
    ["session", "list", driving],
    [driving],
  ])
    expect((await operates.types(args)).stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
})

test("export of anything but users and transactions is wrong usage", async () => {
  await using operates = await operator()

  expect(await operates.types(["export", "sessions"])).toEqual(
    misused("WHAT: one of users, transactions", "See: rewards export --help"),
  )
})
