import { expect, test } from "bun:test"
import { plainly } from "../storage/files.ts"
import { storeAt } from "../storage/postgres/maintenance/support.ts"
import { owner, testDatabase } from "../support/postgres.ts"
import { done, doneAnchored, misused, operator, refused } from "./operator.ts"

/** An operator with Ana, who has ten points, in a file; and an empty PostgreSQL database. */
async function operatorWhoMoves() {
  const [database, operates] = await Promise.all([testDatabase(), operator()])
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return {
    ...operates,
    url: database.url,
    /** The target in messages. */
    shown: database.url.replace(/:[^@/]*@/, "@"),
    /** The same on PostgreSQL. */
    typesThere: (args: readonly string[]) => operates.types(args, { env: { REWARDS_DB__URL: database.url } }),
    async [Symbol.asyncDispose]() {
      await operates[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test("copy moves everything to PostgreSQL and back, verified, and both audit logs say so", async () => {
  await using operates = await operatorWhoMoves()

  const there = await operates.types(["copy", "--to", "-"], { stdin: `${operates.url}\n` })
  expect(there).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^Copied 1 transaction to postgres:.*; both sides verified and the same \(\d+ rows in /,
    ),
    stderr: "verifying the source\nbuilding what the target makes for itself\nverifying the target\n",
  })
  expect(await operates.typesThere(["transaction", "ana", "5"])).toEqual(done("admin: -10 -> -15", "ana: 10 -> 15"))

  const back = await operates.typesThere(["copy", "--to", "back.db", "--json"])
  expect(JSON.parse(back.stdout)).toMatchObject({ to: `${operates.folder}/back.db`, transactions: 2 })
  expect(await operates.types(["verify", "--db", `${operates.folder}/back.db`])).toEqual(
    doneAnchored("2 transactions, nothing wrong"),
  )
  const { stdout } = await operates.types(["audit", "--json", "--action", "copy", "--db", `${operates.folder}/back.db`])
  expect(JSON.parse(stdout).map(({ detail }: { detail: string }) => detail)).toEqual([
    `from ${operates.database}`,
    `from ${operates.shown}`,
  ])
  const source = await operates.types(["audit", "--json", "--action", "copy"])
  expect(JSON.parse(source.stdout)).toMatchObject([{ who: "olga", detail: `to ${operates.shown}` }])
})

test("copy never shows the password of the target, and says where a password on the command line is seen", async () => {
  await using operates = await operatorWhoMoves()
  const { status, stdout, stderr } = await operates.types(["copy", "--to", operates.url])

  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("`--to -` reads the URL") })
  for (const secret of [owner.password, encodeURIComponent(owner.password)]) {
    expect(stdout + stderr).not.toContain(secret)
    expect((await operates.types(["audit"])).stdout).not.toContain(secret)
  }
})

test("copy refuses a filled or served target, a served or damaged source, and a file for a file", async () => {
  await using operates = await operatorWhoMoves()
  const to = (target: string) => operates.types(["copy", "--to", "-"], { stdin: target })
  expect(await to(`${operates.folder}/other.db`)).toEqual(
    refused("a database file is copied to another file by `rewards backup FILE`"),
  )
  expect(await to("postgres://nobody")).toEqual(
    misused("option --to: the URL is not one that db.url takes; see docs/settings.md", "See: rewards copy --help"),
  )

  const served = await storeAt(operates.url)
  expect((await to(operates.url)).stderr).toContain(`cannot use the database ${operates.shown}: another process has it`)
  await served.close()
  expect((await to(operates.url)).status).toBe(0)
  expect((await to(operates.url)).stderr).toContain(`cannot use the database ${operates.shown}: it is not empty`)

  await operates.typesThere(["reset-db", "--force"])
  using client = plainly(operates.database)
  client.run("UPDATE balances SET value = value + 1")
  expect((await to(operates.url)).stderr).toContain("\nthe source is damaged (balances: the balance of admin is -9")
})
