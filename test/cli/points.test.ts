import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { done, misused, operator, operatorWithDatabase, refused } from "./operator.ts"
import { expectAdminMissing } from "./operator-with-points.ts"

const transactionHint = "See: rewards transaction --help"

async function operatorWithAna() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  return operates
}

test("transaction sends points from admin and prints both balances before and after", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["transaction", "ana", "10"])).toEqual(done("admin: 0 -> -10", "ana: 0 -> 10"))
  expect(await operates.types(["transaction", "ana", "5"])).toEqual(done("admin: -10 -> -15", "ana: 10 -> 15"))
})

test("transaction --json prints the same as an array of objects", async () => {
  await using operates = await operatorWithAna()

  const { status, stdout } = await operates.types(["transaction", "--json", "ana", "10"])

  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual([
    { username: "admin", before: 0, after: -10 },
    { username: "ana", before: 0, after: 10 },
  ])
})

test("a transaction from admin to admin is recorded and changes no balance", async () => {
  await using operates = await operatorWithDatabase()

  expect(await operates.types(["transaction", "admin", "3"])).toEqual(done("admin: 0 -> 0"))
})

test("transaction to an unknown receiver exits with status 1 and a message", async () => {
  await using operates = await operatorWithDatabase()

  expect(await operates.types(["transaction", "nobody", "10"])).toEqual(refused("User not found: nobody"))
  expect(await operates.types(["transaction", "no\u001bbody", "10"])).toEqual(refused("User not found: no\\u{1b}body"))
})

for (const [what, sql] of [
  ["renamed", "UPDATE users SET username = 'boss' WHERE username = 'admin'"],
  ["removed", "DROP TRIGGER users_are_never_deleted; DELETE FROM users WHERE username = 'admin'"],
] as const)
  test(`after somebody ${what} admin by hand, a command exits with status 1 and a message about admin`, async () => {
    await using operates = await operatorWithAna()
    using client = new Database(operates.database)
    client.run(sql)

    await expectAdminMissing(operates)
  })

for (const value of ["0", "-5", "-0", "9007199254740992", "9007199254740993", "1".repeat(400)])
  test(`a value outside 1 to 2^53-1 is refused, and nothing is recorded: ${value.slice(0, 20)}`, async () => {
    await using operates = await operatorWithAna()
    const refusal = refused("value: an integer from 1 to 9007199254740991")

    expect(await operates.types(["transaction", "ana", value])).toEqual(refusal)
    expect(await operates.types(["transaction", "--", "ana", value])).toEqual(refusal)
    expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
  })

for (const value of ["ten", "5.5", "5.0", "1e3", "0x10", " 5", "5 ", "", "+5", "٥", "-"])
  test(`a value that is not an integer is wrong usage: ${JSON.stringify(value)}`, async () => {
    await using operates = await operatorWithAna()

    expect(await operates.types(["transaction", "ana", value])).toEqual(
      misused("VALUE must be an integer", transactionHint),
    )
  })

test("the largest value is accepted; one that would push a balance beyond it is refused", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["transaction", "ana", "9007199254740991"])).toEqual(
    done("admin: 0 -> -9007199254740991", "ana: 0 -> 9007199254740991"),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(
    refused("The transfer would carry a balance beyond the largest exact integer"),
  )
})

test("the date of a transaction is the current time, in milliseconds", async () => {
  await using operates = await operatorWithAna()
  const earliest = Date.now()

  await operates.types(["transaction", "ana", "10"])

  using client = new Database(operates.database, { readonly: true })
  const dates = client.query<{ date: number }, []>("SELECT date FROM transactions").all()
  expect(dates).toHaveLength(1)
  expect(dates[0]?.date).toBeWithin(earliest, Date.now() + 1)
})

test("transaction stores a reason and tags, prints the same, and shows a private reason only to the two", async () => {
  await using operates = await operatorWithAna()
  const env = { REWARDS_RECOGNITION__TAGS: "fair,team" }
  const type = (...args: string[]) => operates.types(["transaction", "ana", "1", ...args], { env })

  expect(await type("--reason", "For the fair", "--tags", "fair,team")).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
  expect(await type("--reason", "Between us", "--private")).toMatchObject({ status: 0 })
  expect(await type("--tags", "fair", "--private")).toEqual(
    misused("--private hides the reason, so it needs --reason", transactionHint),
  )
  expect(await type("--tags", "fun")).toEqual(refused("tags: each at most once, of fair, team"))
  expect(await type("--reason", "x".repeat(501))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^reason: /),
  })

  using client = new Database(operates.database, { readonly: true })
  expect(client.query("SELECT reason, tags, private FROM notes ORDER BY transaction_id").all()).toEqual([
    { reason: "For the fair", tags: "fair team", private: 0 },
    { reason: "Between us", tags: "", private: 1 },
  ])
})

const grantHint = "See: rewards points grant --help"

/** Ana and Bruno of sales, Carla of support. */
async function operatorWithPeople() {
  const operates = await operator()
  const people = "name,email,dept\nAna,a@example.com,sales\nBruno,b@example.com,sales\nCarla,c@example.com,support\n"
  await operates.types(["user", "import", "-"], { stdin: people })
  return operates
}

test("grant sends points from admin to the named people and a department, and lists who got them", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["points", "grant", "10", "--to", "carla, ana", "--dept", "sales"])).toEqual(
    done("carla: 10", "ana: 10", "bruno: 10", "given: 30 to 3 users; admin has -30 left"),
  )
  expect(await operates.types(["points", "grant", "5", "--dept", "sales", "--json"])).toMatchObject({
    status: 0,
    stdout: `${JSON.stringify({ receivers: ["ana", "bruno"], value: 5, total: 10, left: -40 }, null, 2)}\n`,
  })
})

test("--to and --dept can be repeated; each adds receivers", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["points", "grant", "10", "--dept", "support", "--dept", "sales"])).toEqual(
    done("carla: 10", "ana: 10", "bruno: 10", "given: 30 to 3 users; admin has -30 left"),
  )
  expect(await operates.types(["points", "grant", "1", "--to", "ana", "--to=bruno, carla"])).toEqual(
    done("ana: 1", "bruno: 1", "carla: 1", "given: 3 to 3 users; admin has -33 left"),
  )
})

test("if one of several departments has nobody, nobody gets points", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["points", "grant", "10", "--dept", "sales", "--dept", "suport"])).toEqual(
    refused("depts: nobody else is in number 2"),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("any other option given twice is wrong usage and does nothing", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["points", "grant", "10", "--to", "ana", "--reason", "a", "--reason", "b"])).toEqual(
    misused("option --reason is given twice", grantHint),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("every command that sends points leaves an audit entry with the operator's name", async () => {
  await using operates = await operatorWithPeople()
  const env = { SUDO_USER: "oscar" }

  await operates.types(["transaction", "ana", "7"], { env })
  await operates.types(["points", "grant", "10", "--dept", "sales", "--to", "carla"])
  await operates.types(["points", "grant", "10", "--to", "ana", "--dry-run"])
  await operates.types(["points", "grant", "10", "--to", "nobody"])
  await operates.types(["transaction", "ana", "0"])

  const entries = async (action: string) =>
    JSON.parse((await operates.types(["audit", "--action", action, "--json"])).stdout).map(
      ({ who, whom, way, detail }: Record<string, string>) => [who, whom, way, detail],
    )
  expect(await entries("points_sent")).toEqual([["oscar", "ana", "command line", "7"]])
  expect(await entries("points_granted")).toEqual([["olga", null, "command line", "10 each to 3, 30 in all"]])
})

test("grant stores the reason and tags with each transaction", async () => {
  await using operates = await operatorWithPeople()
  const env = { REWARDS_RECOGNITION__TAGS: "fair,team" }
  const note = ["--reason", "For the fair", "--tags", "fair,team"]

  expect((await operates.types(["points", "grant", "1", "--to", "ana", ...note], { env })).status).toBe(0)
  expect(await operates.types(["points", "grant", "1", "--to", "ana", "--tags", "fun"], { env })).toEqual(
    refused("tags: each at most once, of fair, team"),
  )

  const { stdout } = await operates.types(["export", "transactions"])
  expect(stdout).toContain(",ana,Ana,sales,1,For the fair,fair team")
})

test("a dry run of grant prints the same, or the reasons against it, and changes nothing", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["points", "grant", "10", "--to", "ana", "--dry-run"])).toEqual(
    done("ana: 10", "would be given: 10 to 1 user; admin would have -10 left"),
  )
  expect(await operates.types(["points", "grant", "10", "--to", "ana,eva,no\u001bbody", "--dry-run"])).toEqual(
    refused("User not found: eva, no\\u{1b}body"),
  )

  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("grant reports all unknown names, and nobody gets anything", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["points", "grant", "10", "--to", "ana,eva,fred"])).toEqual(
    refused("User not found: eva, fred"),
  )
  expect(await operates.types(["points", "grant", "10", "--dept", "nobody's"])).toEqual(
    refused("dept: nobody else is in this department"),
  )
  expect(await operates.types(["points", "grant", "0", "--to", "ana"])).toEqual(
    refused("value: an integer from 1 to 9007199254740991"),
  )

  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("grant refuses --private without a reason, even a blank one", async () => {
  await using operates = await operatorWithPeople()
  const refusal = misused("--private hides the reason, so it needs --reason", grantHint)

  expect(await operates.types(["points", "grant", "5", "--dept", "sales", "--private"])).toEqual(refusal)
  const blank = ["points", "grant", "5", "--dept", "sales", "--private", "--reason", " "]
  expect(await operates.types(blank)).toEqual(refusal)
})

test("grant without receivers, or with a value that is not an integer, is wrong usage", async () => {
  await using operates = await operator()

  expect(await operates.types(["points", "grant", "10"])).toEqual(
    misused("name the receivers with --to or --dept", grantHint),
  )
  expect(await operates.types(["points", "grant", "ten", "--to", "ana"])).toEqual(
    misused("VALUE must be an integer", grantHint),
  )
})

const reverseHint = "See: rewards points reverse --help"

/** Ana has 10 points of transaction 1. */
async function operatorWithSent() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return operates
}

test("reverse takes back all or some of the points and returns them to admin", async () => {
  await using operates = await operatorWithSent()

  expect(await operates.types(["points", "reverse", "1", "--value", "4", "--reason", "too many"])).toEqual(
    done("Transaction 2: 4 of transaction 1 taken back from ana, returned to admin"),
  )
  const { status, stdout } = await operates.types(["points", "reverse", "1", "--reason", "all of it", "--json"])
  expect([status, JSON.parse(stdout)]).toEqual([0, { id: 3, reverses: 1, value: 6, from: "ana", to: "admin" }])
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("reverse records the operator's name in the audit log", async () => {
  await using operates = await operatorWithSent()
  await operates.types(["points", "reverse", "1", "--reason", "too many"])

  const { stdout } = await operates.types(["audit", "--action", "points_reversed", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([{ whom: "ana", way: "command line", detail: "10 of transaction 1" }])
  expect(stdout).toContain("olga")
})

test("a reversal that the rules forbid is refused and changes nothing", async () => {
  await using operates = await operatorWithSent()

  const reverse = (...args: string[]) => operates.types(["points", "reverse", ...args])
  expect(await reverse("2", "--reason", "x")).toEqual(refused("Transaction not found"))
  expect(await reverse("1", "--value", "11", "--reason", "x")).toEqual(refused("Fewer points are left to reverse"))
  expect((await reverse("1", "--value", "0", "--reason", "x")).status).toBe(1)
  expect((await reverse("1", "--reason", " ")).status).toBe(1)
  expect(await reverse()).toEqual(misused("missing ID", reverseHint))
  expect(await reverse("999")).toEqual(refused("Transaction not found"))
  expect(await reverse("1")).toEqual(misused("missing --reason TEXT", reverseHint))
  expect(await reverse("one")).toEqual(misused("ID must be the id of a transaction", reverseHint))
  expect(await reverse("1", "--value", "x", "--reason", "x")).toEqual(
    misused("--value must be an integer", reverseHint),
  )
  expect(await operates.types(["verify"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("1 transaction, nothing wrong\n"),
  })
})
