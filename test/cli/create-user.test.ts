import { expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { silent } from "../storage/files.ts"
import { done, misused, type Operator, operator, refused } from "./operator.ts"

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

test("creates a user with a generated username and USD, and prints a line that says so", async () => {
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

test("--username and --currency are taken, wherever they stand", async () => {
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
  test(`the password - is read from standard input: ${from}`, async () => {
    await using operates = await operator()
    const stdinIsTerminal = from.endsWith("terminal")
    const args = ana.with(3, "-")

    expect(await operates.types(args, { stdin, stdinIsTerminal })).toEqual({
      ...done("User ana-souza created"),
      stderr: stdinIsTerminal ? "Password:\n" : "",
    })

    expect(await (await stored(operates, "ana-souza")).accepts(password)).toBe(true)
  })

test("a password on standard input that is empty or not UTF-8 is refused", async () => {
  await using operates = await operator()
  const read = (stdin: string | Uint8Array) => operates.types(ana.with(3, "-"), { stdin })

  expect(await read("")).toEqual(refused("password: 1 to 1024 bytes"))
  expect(await read("\n")).toEqual(refused("password: 1 to 1024 bytes"))
  expect(await read(Buffer.from("a\xff\n", "latin1"))).toEqual(refused("standard input is not UTF-8"))
  expect(await read("x".repeat(200_000))).toEqual(refused("password: 1 to 1024 bytes"))
  expect(await operates.types(ana.with(3, "-"), { stdinIsTerminal: true })).toEqual(refused("Password:", "no input"))
})

test("refuses what the rules refuse, and creates nothing", async () => {
  await using operates = await operator()
  await operates.types(ana)

  expect(await operates.types(ana)).toEqual(refused("Username already taken"))
  expect(await operates.types([...ana, "--username", "ana2"])).toEqual(
    refused("Database IntegrityError: this e-mail address is taken"),
  )
  expect(await operates.types([...ana.with(2, "ANA@EXAMPLE.COM"), "--username", "ana2"])).toEqual(
    refused("Database IntegrityError: this e-mail address is taken"),
  )
  expect(await operates.types(ana.with(1, " "))).toEqual(refused("name: 1 to 100 visible characters on one line"))
  expect(await operates.types(ana.with(1, "ws"))).toEqual(refused("username: this name is reserved"))
  expect(await operates.types(ana.with(2, "ana"))).toEqual(
    refused("email: one plain address of at most 254 characters"),
  )
  expect(await operates.types(ana.with(3, ""))).toEqual(refused("password: 1 to 1024 bytes"))
  expect(await operates.types(ana.with(4, "x".repeat(101)))).toEqual(
    refused("dept: 1 to 100 visible characters on one line"),
  )
  const list = await operates.types(["user-list", "--json"])
  expect(JSON.parse(list.stdout)).toHaveLength(2)
})

test("a forgotten argument is wrong usage, and no message repeats the password", async () => {
  await using operates = await operator()

  expect(await operates.types(ana.slice(0, 4))).toEqual(misused("missing DEPT", "See: rewards create-user --help"))
  const told = await Promise.all(
    [[...ana, "more"], ana.with(3, "-pw"), ana.with(3, "--pw=x")].map((args) => operates.types(args)),
  )
  expect(told.map(({ status }) => status)).toEqual([2, 2, 2])
  expect(told.filter(({ stderr }) => /her password|-pw[^=\n;]|=x/.test(stderr))).toEqual([])
})
