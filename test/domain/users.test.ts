import { expect, test } from "bun:test"
import type { User } from "../../src/domain/store.ts"
import { openTestApp, operator } from "../support/app.ts"

const by = (user: User) => ({ user, who: user.username, way: "http", address: "198.51.100.1" }) as const

test("only a superuser or the operator moves somebody to another department", async () => {
  await using opened = await openTestApp()
  const { users } = opened.app
  const [ana, bruno] = [await opened.create("Ana"), await opened.create("Bruno", { dept: "management" })]

  expect(users.changeDept(by(ana), ana, "management")).rejects.toMatchObject({ code: "not_superuser" })
  expect(await users.changeDept(by(bruno), ana, "support")).toEqual({ ...ana, dept: "support" })
  expect(await users.changeDept(operator, ana, "management")).toEqual({ ...ana, dept: "management" })
})
