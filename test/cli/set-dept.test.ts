import { expect, test } from "bun:test"
import { done, misused, type Operator, operator, refused } from "./operator.ts"

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

test("moves a user to another department", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["set-dept", "ana", "management"])).toEqual(done("User ana is now in management"))

  expect(await deptOf(operates, "ana")).toBe("management")
})

test("refuses what the rules refuse, and changes nothing", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["set-dept", "carla", "support"])).toEqual(refused("User not found: carla"))
  expect(await operates.types(["set-dept", "ana", " "])).toEqual(
    refused("dept: 1 to 100 visible characters on one line"),
  )
  expect(await operates.types(["set-dept", "ana", "a\nb"])).toEqual(
    refused("dept: 1 to 100 visible characters on one line"),
  )
  expect(await operates.types(["set-dept", "ana"])).toEqual(misused("missing DEPT", "See: rewards set-dept --help"))

  expect(await deptOf(operates, "ana")).toBe("sales")
})

test("admin stays in management", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["set-dept", "admin", "sales"])).toEqual(refused("dept: admin stays in management"))
  expect(await operates.types(["set-dept", "admin", "management"])).toEqual(done("User admin is now in management"))

  expect(await deptOf(operates, "admin")).toBe("management")
})
