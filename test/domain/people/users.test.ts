import { expect, test } from "bun:test"
import type { User } from "../../../src/domain/people/model.ts"
import { adminUsername } from "../../../src/domain/people/users.ts"
import { openTestApp, operator } from "../../support/app.ts"

const by = (user: User) => ({ user, who: user.username, way: "http", address: "198.51.100.1" }) as const

test("only a superuser or the operator can move somebody to another department", async () => {
  await using opened = await openTestApp()
  const { users } = opened.app
  const [ana, bruno] = [await opened.create("Ana"), await opened.create("Bruno", { dept: "management" })]

  expect(users.correct(by(ana), ana, { dept: "management" })).rejects.toMatchObject({ code: "not_superuser" })
  expect(await users.correct(by(bruno), ana, { dept: "support" })).toEqual({ ...ana, dept: "support" })
  expect(await users.correct(operator, ana, { dept: "management" })).toEqual({ ...ana, dept: "management" })
})

test("a department keeps its existing spelling; only the exact spelling of management makes superusers", async () => {
  await using opened = await openTestApp()
  const { users } = opened.app
  const ana = await opened.create("Ana", { dept: "sales" })
  let people = 0
  const depts = async (...typed: string[]) => {
    const stored: string[] = []
    for (const dept of typed) {
      people += 1
      stored.push((await opened.create(`Person${people}`, { dept })).dept)
    }
    return stored
  }

  expect(await depts("Sales", " sales ", "SALES", " Customer  Care ")).toEqual([
    "sales",
    "sales",
    "sales",
    "Customer  Care",
  ])
  expect(await depts("customer care", "Management", " management")).toEqual([
    "Customer  Care",
    "Management",
    " management",
  ])
  const changed = async (user: User, dept: string) => (await users.correct(operator, user, { dept })).dept
  expect(await changed(ana, "CUSTOMER CARE")).toBe("Customer  Care")
  expect(await changed(ana, "MANAGEMENT")).toBe("MANAGEMENT")

  const alone = await opened.create("Bruno", { dept: "ops" })
  expect(await changed(alone, "Ops")).toBe("Ops")
  expect(await changed(alone, "Sales")).toBe("sales")
})

test("admin has the e-mail address of the settings, until somebody corrects it", async () => {
  await using opened = await openTestApp({ settings: { "security.admin_email": "ops@example.com" } })
  const { users, store } = opened.app
  const admin = async () => (await store.users.byUsername(adminUsername)) ?? expect.unreachable()
  const ensure = (email: string) => users.ensureAdmin({ password: "x", email }, () => expect.unreachable())
  expect((await admin()).email).toBe("ops@example.com")

  await users.correct(operator, await admin(), { email: "admin@localhost" })
  await ensure("admin@localhost")
  expect((await admin()).email).toBe("admin@localhost")
  await ensure("rewards@example.com")
  expect((await admin()).email).toBe("rewards@example.com")
  await ensure("ops@example.com")
  expect((await admin()).email).toBe("rewards@example.com")
})

test("an address for admin that somebody else has changes nothing", async () => {
  await using opened = await openTestApp()
  const { users, store } = opened.app
  const ana = await opened.create("Ana")

  await users.ensureAdmin({ password: "x", email: ana.email.toUpperCase() }, () => expect.unreachable())
  expect((await store.users.byUsername(adminUsername))?.email).toBe("admin@localhost")
})
