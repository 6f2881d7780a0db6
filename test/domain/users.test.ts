import { expect, test } from "bun:test"
import { openTestApp } from "../support/app.ts"

test("only a superuser or the operator moves somebody to another department", async () => {
  await using opened = await openTestApp()
  const { users } = opened.app
  const [ana, bruno] = [await opened.create("Ana"), await opened.create("Bruno", { dept: "management" })]

  expect(users.changeDept(ana, ana, "management")).rejects.toMatchObject({ code: "not_superuser" })
  expect(await users.changeDept(bruno, ana, "support")).toEqual({ ...ana, dept: "support" })
  expect(await users.changeDept("operator", ana, "management")).toEqual({ ...ana, dept: "management" })
})
