import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

const hint = "See: rewards transaction --help"

async function operatorWithAna() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  return operates
}

test("adds a transaction with sender admin and prints both balances before and after", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["transaction", "ana", "10"])).toEqual(done("admin: 0 -> -10", "ana: 0 -> 10"))
  expect(await operates.types(["transaction", "ana", "5"])).toEqual(done("admin: -10 -> -15", "ana: 10 -> 15"))
})

test("--json prints the same as an array of objects", async () => {
  await using operates = await operatorWithAna()

  const { status, stdout } = await operates.types(["transaction", "--json", "ana", "10"])

  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual([
    { username: "admin", before: 0, after: -10 },
    { username: "ana", before: 0, after: 10 },
  ])
})

test("to admin itself it is recorded and changes no balance", async () => {
  await using operates = await operator()

  expect(await operates.types(["transaction", "admin", "3"])).toEqual(done("admin: 0 -> 0"))
})

test("an unknown receiver is exit status 1 and a message", async () => {
  await using operates = await operator()

  expect(await operates.types(["transaction", "nobody", "10"])).toEqual(refused("User not found: nobody"))
  expect(await operates.types(["transaction", "no\u001bbody", "10"])).toEqual(refused("User not found: no\\u{1b}body"))
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
  test(`a value that is no integer is wrong usage: ${JSON.stringify(value)}`, async () => {
    await using operates = await operatorWithAna()

    expect(await operates.types(["transaction", "ana", value])).toEqual(misused("VALUE must be an integer", hint))
  })

test("the largest value is taken, and one that would carry a balance beyond it is refused", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["transaction", "ana", "9007199254740991"])).toEqual(
    done("admin: 0 -> -9007199254740991", "ana: 0 -> 9007199254740991"),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(
    refused("The transfer would carry a balance beyond the largest exact integer"),
  )
})

test("the date is now, in milliseconds", async () => {
  await using operates = await operatorWithAna()
  const earliest = Date.now()

  await operates.types(["transaction", "ana", "10"])

  using client = new Database(operates.database, { readonly: true })
  const dates = client.query<{ date: number }, []>("SELECT date FROM transactions").all()
  expect(dates).toHaveLength(1)
  expect(dates[0]?.date).toBeWithin(earliest, Date.now() + 1)
})
