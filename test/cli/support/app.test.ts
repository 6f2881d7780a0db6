import { expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { done, operator, refused } from "../operator.ts"

const env = { REWARDS_SECURITY__SECRET_KEY: "a secret for tests alone, 32 bytes and more" }
const people = "name,email,dept\nAna,ana@example.com,sales\n"

for (const args of [
  ["user-list"],
  ["transaction", "ana", "5"],
  ["points", "grant", "5", "--dept", "sales"],
  ["export", "users"],
  ["audit"],
  ["session", "list"],
  ["session", "revoke", "ana"],
  ["user", "set-password", "ana", "-"],
  ["user", "set-dept", "ana", "sales"],
  ["user", "import", "people.csv"],
  ["shell"],
  ["doctor"],
])
  test(`${args.join(" ")} with --db of a missing file is refused and creates no file`, async () => {
    await using operates = await operator()
    await Bun.write(`${operates.folder}/people.csv`, people)

    expect(await operates.types([...args, "--db", "rewrads.db"], { env, stdin: "a password\na password\n" })).toEqual(
      refused(
        "cannot use the database rewrads.db: there is no such file; check --db, or create it with " +
          "`rewards migrate --db rewrads.db`",
      ),
    )
    expect(readdirSync(operates.folder)).toEqual(["people.csv"])
  })

test("create-user --db creates a missing database, and so does any command without --db", async () => {
  await using operates = await operator()
  const file = `${operates.folder}/new.db`

  expect(await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales", "--db", file])).toMatchObject({
    status: 0,
  })
  expect(existsSync(file)).toBe(true)
  expect(await operates.types(["user-list"])).toMatchObject({ status: 0 })
  expect(existsSync(operates.database)).toBe(true)
})

test("a command that finds no database and makes one says so, with its path; create-user and migrate expect it", async () => {
  for (const args of [["user-list"], ["audit"], ["transaction", "nobody", "1"]]) {
    await using operates = await operator()
    const line = `There was no database; this command made a new one: ${operates.database}\n`

    expect((await operates.types(args)).stderr).toStartWith(line)
    expect((await operates.types(args)).stderr).not.toContain(line)
  }
  await using operates = await operator()
  expect(await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])).toEqual(
    done("User ana created"),
  )
})

test("a database that was removed is reported as missing, not as mistyped", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "5"])
  for (const suffix of ["", "-wal", "-shm"])
    await Bun.file(`${operates.database}${suffix}`)
      .delete()
      .catch(() => {})

  expect(await operates.types(["user-list", "--db", operates.database])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("it is missing, but its watermark file is there"),
  })
})

test("an e-mail address names a person wherever a username does", async () => {
  await using operates = await operator()
  const { types } = operates
  await types(["create-user", `Noël O"Connor`, "noel@example.com", "x", "sales"])
  await types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  const noel = "Noel@Example.com"

  expect(await types(["transaction", noel, "5"])).toEqual(done("admin: 0 -> -5", `noël-o"connor: 0 -> 5`))
  expect(await types(["points", "grant", "1", "--to", `ana,${noel}`])).toEqual(
    done("ana: 1", `noël-o"connor: 1`, "given: 2 to 2 users; admin has -7 left"),
  )
  await types(["allowance", "add", "Lunch", "5", "--to", noel])
  expect((await types(["allowance", "list"])).stdout).toContain(`noël-o"connor`)
  expect(await types(["user", "set-dept", noel, "hr"])).toEqual(done(`User noël-o"connor is now in hr`))
  const { stdout } = await types(["audit", "--user", noel, "--json"])
  expect(JSON.parse(stdout).map(({ action }: { action: string }) => action)).toContain("points_sent")
  await types(["user", "deactivate", noel])
  expect(await types(["user", "erase", noel])).toEqual(
    done(`User noël-o"connor is erased; the ledger names erased-2 instead`),
  )
  expect(await types(["transaction", noel, "1"])).toEqual(refused(`User not found: ${noel}`))
})

test("an exact username wins over an e-mail address", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["create-user", "Bruno", "b@example.com", "x", "sales", "--username", "ana@example.com"])

  expect(await operates.types(["transaction", "ana@example.com", "1"])).toEqual(
    done("admin: 0 -> -1", "ana@example.com: 0 -> 1"),
  )
})
