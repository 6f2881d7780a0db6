import { expect, test } from "bun:test"
import { DomainError } from "../../src/domain/errors.ts"
import type { Hashing } from "../../src/domain/hashing.ts"
import { createLogins } from "../../src/domain/logins.ts"
import { openTestApp, passwordOf } from "../support/app.ts"

const minute = 60_000

/** Logins over a hashing that only compares, and remembers what it was asked. */
async function openLogins(maxFailures = 10) {
  const opened = await openTestApp()
  const ana = await opened.create("Ana")
  const asked: (string | null)[] = []
  const verify: Hashing["verify"] = async (password, hash, before = () => {}) => {
    before()
    asked.push(hash)
    return hash !== null && password === passwordOf("Ana")
  }
  const { store, trail } = opened.app
  const logins = createLogins({ store, hashing: { verify }, clock: opened.clock.now, maxFailures, trail })
  const attempt = async (password: string, { username = "ana", address = "198.51.100.1" } = {}) => {
    try {
      return (await logins.login({ username, password, address })).username
    } catch (error) {
      if (error instanceof DomainError) return error.retryAfterSeconds ?? error.code
      throw error
    }
  }
  const fail = async (times: number, from?: Parameters<typeof attempt>[1]) => {
    for (let time = 0; time < times; time++) expect(await attempt("wrong", from)).toBe("bad_login")
  }
  return { ...opened, ana, asked, attempt, fail, right: passwordOf("Ana") }
}

test("an unknown user is verified too, against no hash, and costs what a wrong password costs", async () => {
  await using given = await openLogins()

  expect(await given.attempt("wrong")).toBe("bad_login")
  expect(await given.attempt("wrong", { username: "nobody" })).toBe("bad_login")
  expect(await given.attempt(given.right)).toBe("ana")

  expect(given.asked).toEqual([given.ana.password, null, given.ana.password])
})

test("once limited nothing is hashed, right or wrong, until 5 minutes after the first failure", async () => {
  await using given = await openLogins()
  await given.fail(1)
  given.clock.advance(4 * minute)
  await given.fail(9)

  expect(await given.attempt(given.right)).toBe(60)
  given.clock.advance(minute - 1)
  expect(await given.attempt("wrong")).toBe(1)
  expect(given.asked).toHaveLength(10)

  given.clock.advance(1)
  expect(await given.attempt(given.right)).toBe("ana")
})

test("failures older than 5 minutes count no more", async () => {
  await using given = await openLogins()
  await given.fail(9)
  given.clock.advance(5 * minute)

  await given.fail(9)
  expect(await given.attempt(given.right)).toBe("ana")
})

test("a success takes no failure back", async () => {
  await using given = await openLogins()
  await given.fail(9)

  expect(await given.attempt(given.right)).toBe("ana")
  await given.fail(1)
  expect(await given.attempt(given.right)).toBe(300)
})

test("account and address count together: neither alone", async () => {
  await using given = await openLogins()
  await given.fail(10)

  expect(await given.attempt(given.right, { address: "198.51.100.2" })).toBe("ana")
  await given.fail(10, { username: "bruno" })
  expect(await given.attempt(given.right)).toBe(300)
})

test("guesses for very many accounts do not use up memory, and the newest limits hold", async () => {
  await using given = await openLogins(1)
  for (let account = 0; account < 10_500; account++) await given.fail(1, { username: `account ${account}` })

  expect(await given.attempt("wrong", { username: "account 10499" })).toBe(300)
  expect(await given.attempt("wrong", { username: "account 0" })).toBe("bad_login")
})

test("a password that was changed while it was verified is wrong", async () => {
  await using opened = await openTestApp()
  const { users } = opened.app.store
  const ana = await opened.create("Ana")
  const change = { userId: ana.id, password: "-".repeat(60), endsEverything: false, keepSession: null, spends: null }
  const verify: Hashing["verify"] = async () => {
    await users.changePassword(change)
    return true
  }
  const { login } = createLogins({
    store: opened.app.store,
    hashing: { verify },
    clock: opened.clock.now,
    maxFailures: 10,
    trail: opened.app.trail,
  })

  const logging = login({ username: "ana", password: passwordOf("Ana"), address: "198.51.100.1" })

  expect(logging).rejects.toMatchObject({ code: "bad_login" })
})
