import { expect, test } from "bun:test"
import { table, visible } from "../../src/cli/support/terminal.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { silent } from "../storage/files.ts"
import { passwordOf } from "../support/app.ts"
import { done, misused, type Operator, operator, refused } from "./operator.ts"
import { operatorBesideServer } from "./operator-beside-server.ts"

const ana = ["create-user", "Ana Souza", "ana@example.com", "her password", "sales"]

/** What is stored of a user, but for what no option sets. */
async function stored({ database }: Operator, username: string) {
  const store = await openStore({ path: database, log: silent })
  const user = await store.users.byUsername(username)
  await store.close()
  if (!user) throw new Error(`${username} was not created`)
  const { name, email, dept, currency, password: hash } = user
  return { name, email, dept, currency, username, accepts: (password: string) => Bun.password.verify(password, hash) }
}

test("create-user generates a username, sets USD, and prints a line about it", async () => {
  await using operates = await operator()

  expect(await operates.types(ana)).toEqual(done("User ana-souza created"))

  const { accepts, ...fields } = await stored(operates, "ana-souza")
  expect(fields).toEqual({
    name: "Ana Souza",
    email: "ana@example.com",
    dept: "sales",
    currency: "USD",
    username: "ana-souza",
  })
  expect(await accepts("her password")).toBe(true)
})

test("create-user accepts --username and --currency at any position", async () => {
  await using operates = await operator()

  expect(await operates.types(["create-user", "--currency=BRL", ...ana.slice(1), "--username", "asouza"])).toEqual(
    done("User asouza created"),
  )

  expect(await stored(operates, "asouza")).toMatchObject({ username: "asouza", currency: "BRL" })
})

for (const [from, stdin, password] of [
  ["a line", "her other password\n", "her other password"],
  ["a line of Windows", "her other password\r\n", "her other password"],
  ["a line without end", "her other password", "her other password"],
  ["the first of several lines", "her other password\nher third\n", "her other password"],
  ["a line with spaces around it", " p w \n", " p w "],
  ["a line at a terminal", "her other password\n", "her other password"],
] as const)
  test(`a password given as - is read from standard input: ${from}`, async () => {
    await using operates = await operator()
    const stdinIsTerminal = from.endsWith("terminal")
    const args = ana.with(3, "-")

    expect(await operates.types(args, { stdin, stdinIsTerminal })).toEqual({
      ...done("User ana-souza created"),
      stderr: stdinIsTerminal ? "Password of Ana Souza:\n" : "",
    })

    expect(await (await stored(operates, "ana-souza")).accepts(password)).toBe(true)
  })

test("a password on standard input that is empty or not UTF-8 is refused", async () => {
  await using operates = await operator()
  const read = (stdin: string | Uint8Array) => operates.types(ana.with(3, "-"), { stdin })

  expect(await read("")).toEqual(refused("password: at least 1 character"))
  expect(await read("\n")).toEqual(refused("password: at least 1 character"))
  expect(await read(Buffer.from("a\xff\n", "latin1"))).toEqual(refused("standard input is not UTF-8"))
  expect(await read("x".repeat(200_000))).toEqual(refused("password: at most 1024 bytes of well-formed text"))
  expect(await operates.types(ana.with(3, "-"), { stdinIsTerminal: true })).toEqual(
    refused("Password of Ana Souza:", "no input"),
  )
})

test("create-user refuses invalid fields and creates nobody", async () => {
  await using operates = await operator()
  await operates.types(ana)

  expect(await operates.types(ana)).toEqual(refused("Username already taken"))
  expect(await operates.types([...ana, "--username", "ana2"])).toEqual(
    refused("Database IntegrityError: this e-mail address is taken by ana-souza"),
  )
  expect(await operates.types([...ana.with(2, "ANA@EXAMPLE.COM"), "--username", "ana2"])).toEqual(
    refused("Database IntegrityError: this e-mail address is taken by ana-souza"),
  )
  expect(await operates.types(ana.with(1, " "))).toEqual(refused("name: 1 to 100 visible characters on one line"))
  expect(await operates.types(ana.with(1, "ws"))).toEqual(refused("username: this name is reserved"))
  expect(await operates.types(ana.with(2, "ana"))).toEqual(
    refused("email: one plain address of at most 254 characters"),
  )
  expect(await operates.types(ana.with(3, ""))).toEqual(refused("password: at least 1 character"))
  expect(await operates.types(ana.with(4, "x".repeat(101)))).toEqual(
    refused("dept: 1 to 100 visible characters on one line"),
  )
  const list = await operates.types(["user-list", "--json"])
  expect(JSON.parse(list.stdout)).toHaveLength(2)
})

test("a missing argument is wrong usage, and no message repeats the password", async () => {
  await using operates = await operator()

  expect(await operates.types(ana.slice(0, 4))).toEqual(misused("missing DEPT", "See: rewards create-user --help"))
  const told = await Promise.all(
    [[...ana, "more"], ana.with(3, "-pw"), ana.with(3, "--pw=x")].map((args) => operates.types(args)),
  )
  expect(told.map(({ status }) => status)).toEqual([2, 2, 2])
  expect(told.filter(({ stderr }) => /her password|-pw[^=\n;]|=x/.test(stderr))).toEqual([])
})

test("user-list prints a table of name, username, dept, email and currency", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana Maria Souza", "ana@example.com", "x", "sales", "--currency", "BRL"])

  expect(await operates.types(["user-list"])).toEqual(
    done(
      "name             username         dept        email            currency",
      "Admin            admin            management  admin@localhost  USD",
      "Ana Maria Souza  ana-maria-souza  sales       ana@example.com  BRL",
    ),
  )
})

test("user-list --json prints the same as an array of objects", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])

  const { status, stdout, stderr } = await operates.types(["user-list", "--json"])

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(JSON.parse(stdout)).toEqual([
    { name: "Admin", username: "admin", dept: "management", email: "admin@localhost", currency: "USD" },
    { name: "Ana", username: "ana", dept: "sales", email: "ana@example.com", currency: "USD" },
  ])
})

test("wide characters count as the two columns that they take", () => {
  expect(
    table(
      ["name", "dept"],
      [
        ["山田", "営業"],
        ["Ana", "sales"],
      ],
    ),
  ).toBe("name  dept\n山田  営業\nAna   sales")
})

test("a name in the table contains no control or direction characters", () => {
  expect(visible("\u001b[2JAna\r\n\u0007\u009b\u202eanA\u2028")).toBe(
    "\\u{1b}[2JAna\\u{d}\\u{a}\\u{7}\\u{9b}\\u{202e}anA\\u{2028}",
  )
  expect(visible("Ána 👩‍👩‍👧 می‌خواهم")).toBe("Ána 👩‍👩‍👧 می‌خواهم")
  expect(table(["name"], [["\u202eAna"]])).toBe("name\n\\u{202e}Ana")
})

async function operatorWithAna() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  return operates
}

async function deptOf(operates: Operator, username: string): Promise<string | undefined> {
  const { stdout } = await operates.types(["user-list", "--json"])
  const users: { username: string; dept: string }[] = JSON.parse(stdout)
  return users.find((user) => user.username === username)?.dept
}

test("user set-dept moves a user to another department", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["user", "set-dept", "ana", "management"])).toEqual(done("User ana is now in management"))

  expect(await deptOf(operates, "ana")).toBe("management")
})

test("user set-dept refuses an unknown user or an invalid department and changes nothing", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["user", "set-dept", "carla", "support"])).toEqual(refused("User not found: carla"))
  expect(await operates.types(["user", "set-dept", "ana", " "])).toEqual(
    refused("dept: 1 to 100 visible characters on one line"),
  )
  expect(await operates.types(["user", "set-dept", "ana", "a\nb"])).toEqual(
    refused("dept: 1 to 100 visible characters on one line"),
  )
  expect(await operates.types(["user", "set-dept", "ana"])).toEqual(
    misused("missing DEPT", "See: rewards user set-dept --help"),
  )

  expect(await deptOf(operates, "ana")).toBe("sales")
})

test("user rename gives somebody another username, which nobody has or had", async () => {
  await using operates = await operatorWithAna()
  const rename = (...words: string[]) => operates.types(["user", "rename", ...words])

  expect(await rename("ana", "ana-costa")).toEqual(done("User ana is now ana-costa"))
  expect(await rename("ana", "anna")).toEqual(refused("User not found: ana; ana-costa had this username before"))
  expect(await rename("ana-costa", "admin")).toEqual(refused("Username already taken"))
  expect(await rename("ana-costa", "a/b")).toEqual(refused("username: no invisible characters and none of / ? # % \\"))
  expect(await rename("admin", "root")).toEqual(refused("username: admin keeps this username"))
  expect(await rename("ana-costa")).toEqual(misused("missing NEW", "See: rewards user rename --help"))
  const create = ["create-user", "Ana", "other@example.com", "a password", "sales"]
  expect(await operates.types(create)).toEqual(refused("Username already taken"))
  const audit = await operates.types(["audit", "--user", "ana-costa", "--json"])
  expect(JSON.parse(audit.stdout)).toMatchObject([
    { action: "user_created", whom: "ana" },
    {
      action: "user_renamed",
      whom: "ana-costa",
      before_values: { username: "ana" },
      after_values: { username: "ana-costa" },
    },
  ])
})

test("user set-days sets and removes birthday and first day", async () => {
  await using operates = await operatorWithAna()
  const setDays = (...options: string[]) => operates.types(["user", "set-days", "ana", ...options])

  expect(await setDays("--birthday", "02-29", "--joined", "2024-02-29")).toEqual(
    done("User ana: birthday 02-29, joined 2024-02-29"),
  )
  expect(await setDays("--birthday", "none")).toEqual(done("User ana: birthday none, joined 2024-02-29"))
  expect(await setDays("--birthday", "13-01")).toEqual(refused("birthday: a day of the year, MM-DD"))
  expect(await setDays()).toEqual(misused("give --birthday, --joined or both", "See: rewards user set-days --help"))
})

test("user set-manager sets and removes whom somebody reports to", async () => {
  await using operates = await operatorWithAna()
  const setManager = (...words: string[]) => operates.types(["user", "set-manager", ...words])

  expect(await setManager("ana", "admin")).toEqual(done("User ana now reports to admin"))
  expect(await setManager("admin", "ana")).toEqual(
    refused("manager: nobody can report to themselves or to somebody who reports to them"),
  )
  expect(await setManager("admin", "nobody")).toEqual(refused("manager: nobody has this username"))
  expect(await setManager("nobody", "ana")).toEqual(refused("User not found: nobody"))
  expect(await setManager("ana", "none")).toEqual(done("User ana now reports to nobody"))
  expect(await setManager("ana")).toEqual(misused("missing MANAGER", "See: rewards user set-manager --help"))
})

test("user set-dept cannot move admin out of management", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["user", "set-dept", "admin", "sales"])).toEqual(
    refused("dept: admin stays in management"),
  )
  expect(await operates.types(["user", "set-dept", "admin", "management"])).toEqual(
    done("User admin is now in management"),
  )

  expect(await deptOf(operates, "admin")).toBe("management")
})

const told = done("Password of ana set; all sessions and tokens of this user have ended")

test("user set-password ends every session and token of that user only, at once, in a running server too", async () => {
  await using beside = await operatorBesideServer()
  const { server, ana, types } = beside
  const session = await server.withSession(ana)
  const bruno = await server.person("Bruno")

  expect(await types(["user", "set-password", "ana", "her new one"])).toEqual(told)

  expect(await ana.get("/transaction/")).toMatchObject({ status: 401 })
  expect(await session.get("/transaction/")).toMatchObject({ status: 401 })
  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toMatchObject({
    status: 401,
  })
  expect(await bruno.get("/transaction/")).toMatchObject({ status: 200 })
  const logIn = async (password: string) =>
    (await server.anybody.submit("/token", { username: "ana", password })).status
  expect(await logIn(passwordOf("Ana"))).toBe(401)
  expect(await logIn("her new one")).toBe(200)
})

for (const [from, args] of [
  ["-", ["user", "set-password", "ana", "-"]],
  ["nothing", ["user", "set-password", "ana"]],
] as const)
  test(`user set-password with ${from} as the password reads a line of standard input`, async () => {
    await using beside = await operatorBesideServer()

    expect(await beside.types(args, { stdin: "her new one\n" })).toEqual(told)

    const { status } = await beside.server.anybody.submit("/token", { username: "ana", password: "her new one" })
    expect(status).toBe(200)
  })

test("at a terminal user set-password asks twice, and both answers must be the same", async () => {
  await using beside = await operatorBesideServer()
  const asked = "New password of ana:\nNew password of ana, once more:\n"
  const type = (stdin: string) => beside.types(["user", "set-password", "ana"], { stdinIsTerminal: true, stdin })

  expect(await type("one\ntwo\n")).toEqual({ status: 1, stdout: "", stderr: `${asked}Passwords do not match\n` })
  expect(await type("one\n")).toEqual({ status: 1, stdout: "", stderr: `${asked}no input\n` })
  expect(await beside.ana.get("/transaction/")).toMatchObject({ status: 200 })
  expect(await type("one\none\n")).toEqual({ ...told, stderr: asked })
})

test("user set-password refuses an unknown user or an invalid password and changes nothing", async () => {
  await using beside = await operatorBesideServer()
  const { ana, types } = beside

  expect(await types(["user", "set-password", "carla", "x"])).toEqual(refused("User not found: carla"))
  expect(await types(["user", "set-password", "ana", ""])).toEqual(refused("password: at least 1 character"))
  expect(await types(["user", "set-password", "ana"], { stdin: "" })).toEqual(refused("password: at least 1 character"))
  const env = { REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "8" }
  expect(await types(["user", "set-password", "ana", "1234567"], { env })).toEqual(
    refused("password: at least 8 characters"),
  )
  expect(await types(["user", "set-password"])).toEqual(
    misused("missing USERNAME", "See: rewards user set-password --help"),
  )

  expect(await ana.get("/transaction/")).toMatchObject({ status: 200 })
})

test("a user is deactivated, with the points returned to admin, and reactivated", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])

  expect(await operates.types(["user", "deactivate", "ana", "--return-points"])).toEqual(
    done("User ana is deactivated: sessions and tokens have ended; 10 returned to admin"),
  )
  expect((await operates.types(["user-list"])).stdout).not.toContain("ana@example.com")
  expect(await operates.types(["user-list", "--all"])).toEqual(
    done(
      "name   username  dept        email            currency  active",
      "Admin  admin     management  admin@localhost  USD       yes",
      "Ana    ana       sales       ana@example.com  USD       no",
    ),
  )
  const everybody = await operates.types(["user-list", "--all", "--json"])
  expect(JSON.parse(everybody.stdout)).toMatchObject([{ active: true }, { username: "ana", active: false }])
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(refused("User not found"))
  expect(await operates.types(["verify"])).toMatchObject({ status: 0 })

  expect(await operates.types(["user", "reactivate", "ana"])).toEqual(
    done("User ana is active again, with the old password"),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
  const { stdout } = await operates.types(["audit", "--user", "ana", "--json"])
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ action: "user_deactivated", who: "olga", detail: "10 returned to admin" }),
  )
})

test("admin and unknown users cannot be deactivated", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])

  expect(await operates.types(["user", "deactivate", "admin"])).toEqual(refused("active: admin stays active"))
  expect(await operates.types(["user", "deactivate", "nobody"])).toEqual(refused("User not found: nobody"))
  expect(await operates.types(["user", "reactivate", "nobody"])).toEqual(refused("User not found: nobody"))
})
