import { expect, test } from "bun:test"
import { copyFileSync, rmSync } from "node:fs"
import { plainly } from "../storage/files.ts"
import { done, doneAnchored, type Operator, operator, refused } from "./operator.ts"
import { operatorOnPostgres } from "./operator-on-postgres.ts"

/** A database with Ana, who has ten points. */
async function operatorWithPoints() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return operates
}

function spoil({ database }: Operator) {
  using client = plainly(database)
  client.run("UPDATE balances SET value = 11 WHERE user_id = 2")
}

/** The database as it was before the last transaction, with a mark that knows of it. */
async function loseLast(operates: Operator) {
  copyFileSync(operates.database, `${operates.database}.earlier`)
  await operates.types(["transaction", "ana", "5"])
  copyFileSync(`${operates.database}.earlier`, operates.database)
}

const behind = "transaction 2, which was recorded, is missing"

test("a healthy database is reported as such", async () => {
  await using operates = await operatorWithPoints()

  expect(await operates.types(["verify"])).toEqual(doneAnchored("1 transaction, nothing wrong"))
  expect(JSON.parse((await operates.types(["verify", "--json"])).stdout)).toEqual({
    transactions: 1,
    findings: [],
    newest: expect.stringMatching(/^1:[0-9a-f]{64}$/),
  })
})

test("each finding has a line, and the exit status is 1", async () => {
  await using operates = await operatorWithPoints()
  spoil(operates)

  expect(await operates.types(["verify"])).toEqual({
    ...refused(`${operates.database} is damaged: 2 findings`),
    stdout: "balances: the balance of ana is 11 instead of 10\nbalances: all balances add up to 1 instead of 0\n",
  })
  const { status, stdout } = await operates.types(["verify", "--json"])
  expect({ status, report: JSON.parse(stdout) }).toEqual({
    status: 1,
    report: {
      transactions: 1,
      newest: expect.stringMatching(/^1:[0-9a-f]{64}$/),
      findings: [
        { check: "balances", fault: "the balance of ana is 11 instead of 10" },
        { check: "balances", fault: "all balances add up to 1 instead of 0" },
      ],
    },
  })
})

test("a database behind its mark is refused by every command until --accept", async () => {
  await using operates = await operatorWithPoints()
  await loseLast(operates)

  const { status, stderr } = await operates.types(["user-list"])
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(`${behind}; put a backup in its place`),
  })
  expect(await operates.types(["verify"])).toEqual({
    ...refused(`${operates.database} is damaged: 1 finding`),
    stdout: `watermark: ${behind}\n`,
  })

  expect(await operates.types(["verify", "--accept"])).toEqual({
    ...done(`watermark: ${behind}`),
    stderr: `The watermark now accepts ${operates.database} as it is\n`,
  })

  expect(await operates.types(["verify"])).toEqual(doneAnchored("1 transaction, nothing wrong"))
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
})

test("--accept takes no other finding away", async () => {
  await using operates = await operatorWithPoints()
  await loseLast(operates)
  spoil(operates)

  const { status, stderr } = await operates.types(["verify", "--accept"])

  expect({ status, last: stderr.split("\n").at(-2) }).toEqual({
    status: 1,
    last: `${operates.database} is damaged: 2 findings`,
  })
})

test("another file is named by --db; one that is not there is refused and not made", async () => {
  await using operates = await operatorWithPoints()
  copyFileSync(operates.database, `${operates.folder}/copy.db`)
  rmSync(operates.database)
  rmSync(`${operates.database}.mark`)

  expect(await operates.types(["verify", "--db", `${operates.folder}/copy.db`])).toEqual(
    doneAnchored("1 transaction, nothing wrong"),
  )
  expect(await operates.types(["verify"])).toEqual(
    refused(`cannot use the database ${operates.database}: there is no such file`),
  )
  expect(await Bun.file(operates.database).exists()).toBe(false)
})

for (const [name, open] of [
  ["a file", operator],
  ["PostgreSQL", operatorOnPostgres],
] as const)
  test(`an anchor that was noted of ${name} proves that the history up to there is the same, though it has grown and words were erased`, async () => {
    await using operates = await open()
    await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
    await operates.types(["transaction", "ana", "10"])
    await operates.types(["grant", "3", "--to", "ana", "--reason", "for the fair"])
    const anchor = newestIn((await operates.types(["verify"])).stdout)
    expect(anchor).toStartWith("2:")
    await operates.types(["transaction", "ana", "1"])
    await operates.types(["deactivate", "ana"])
    await operates.types(["erase", "ana", "--reasons", "all"])

    expect(await operates.types(["verify", "--against", anchor])).toEqual(doneAnchored("3 transactions, nothing wrong"))
    const another = anchor.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
    expect(await operates.types(["verify", "--against", another])).toMatchObject({
      status: 1,
      stdout: "anchor: transaction 2: another hash than the anchor's: the history was changed\n",
    })
    expect(await operates.types(["verify", "--against", anchor.replace("2:", "9:")])).toMatchObject({
      status: 1,
      stdout: "anchor: transaction 9 is missing, which the anchor names\n",
    })
    for (const nonsense of ["2", "2:ab", `0:${"0".repeat(64)}`, "x"])
      expect(await operates.types(["verify", "--against", nonsense])).toMatchObject({ status: 2 })
  })

test("a backup prints the newest transaction as verify does, on standard error when it is written to standard output", async () => {
  await using operates = await operatorWithPoints()
  const anchor = newestIn((await operates.types(["verify"])).stdout)

  expect(newestIn((await operates.types(["backup", "copy.db"])).stdout)).toBe(anchor)
  expect((await operates.types(["backup", "-"])).stderr).toContain(anchor)
})

/** The anchor that a command printed. */
const newestIn = (stdout: string): string => /^newest: (\S+)$/m.exec(stdout)?.[1] ?? ""
