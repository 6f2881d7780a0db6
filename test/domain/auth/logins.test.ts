import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { createHashing, type Hashing, maxQueued } from "../../../src/domain/auth/hashing.ts"
import type { PasswordLogin } from "../../../src/domain/auth/login-rights.ts"
import { createLogins } from "../../../src/domain/auth/logins.ts"
import { createRateLimiter } from "../../../src/domain/auth/rate-limiter.ts"
import { createLoginSources } from "../../../src/domain/auth/sources.ts"
import { DomainError } from "../../../src/domain/errors.ts"
import { openTestApp, operator, passwordOf } from "../../support/app.ts"

const minute = 60_000

/** Logins with a fake password check, which notes the hashes that it was given. */
async function openLogins(maxFailures = 10, passwordLogin: PasswordLogin = "all") {
  const opened = await openTestApp()
  const ana = await opened.create("Ana")
  const asked: (string | null)[] = []
  const verify: Hashing["verify"] = async (password, hash, _, before) => {
    await before?.()
    asked.push(hash)
    return hash !== null && password === passwordOf("Ana")
  }
  const hashing = { ...createHashing(4), verify }
  const { store, auditLog, secondFactors } = opened.app
  const loginSources = createLoginSources({ store, clock: opened.clock.now })
  const rateLimiter = createRateLimiter({ store, clock: opened.clock.now, secret: "" })
  const logins = createLogins({
    store,
    hashing,
    rateLimiter,
    maxFailures,
    passwordLogin,
    loginSources,
    auditLog,
    secondFactors,
  })
  const attempt = async (password: string, { username = "ana", address = "198.51.100.1" } = {}) => {
    try {
      return (await logins.login({ username, password, address })).user.username
    } catch (error) {
      if (error instanceof DomainError) return error.retryAfterSeconds ?? error.code
      throw error
    }
  }
  const fail = async (times: number, from?: Parameters<typeof attempt>[1]) => {
    for (let time = 0; time < times; time++) expect(await attempt("wrong", from)).toBe("bad_login")
  }
  return { ...opened, ana, loginSources, asked, attempt, fail, right: passwordOf("Ana") }
}

test("an unknown user costs the same verification as a wrong password", async () => {
  await using given = await openLogins()

  expect(await given.attempt("wrong")).toBe("bad_login")
  expect(await given.attempt("wrong", { username: "nobody" })).toBe("bad_login")
  expect(await given.attempt(given.right)).toBe("ana")

  expect(given.asked).toEqual([given.ana.password, null, given.ana.password])
})

test("a user who may not log in with a password is refused like an unknown one, even with the right password", async () => {
  await using given = await openLogins(10, "superusers")
  const bea = await given.create("Bea", { dept: "management" })

  expect(await given.attempt(given.right)).toBe("bad_login")
  expect(await given.attempt(given.right, { username: "bea" })).toBe("bea")
  await given.app.store.users.correct(bea.id, { dept: "sales" })
  expect(await given.attempt(given.right, { username: "bea" })).toBe("bad_login")
  expect(given.asked).toEqual([null, bea.password, null])

  await using off = await openLogins(10, "off")
  await off.create("Bea", { dept: "management" })
  for (const username of ["ana", "bea", "nobody"]) expect(await off.attempt(off.right, { username })).toBe("bad_login")
  expect(off.asked).toEqual([null, null, null])
})

test("beyond the limit no password is hashed, not even the right one, until 5 minutes after the first failure", async () => {
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

test("failures older than 5 minutes no longer count", async () => {
  await using given = await openLogins()
  await given.fail(9)
  given.clock.advance(5 * minute)

  await given.fail(9)
  expect(await given.attempt(given.right)).toBe("ana")
})

test("a success does not reset the count of failures", async () => {
  await using given = await openLogins()
  await given.fail(9)

  expect(await given.attempt(given.right)).toBe("ana")
  await given.fail(1)
  expect(await given.attempt(given.right)).toBe(300)
})

test("failures count for an account and an address together, not for each separately", async () => {
  await using given = await openLogins()
  await given.fail(10)

  expect(await given.attempt(given.right, { address: "198.51.100.2" })).toBe("ana")
  await given.fail(10, { username: "bruno" })
  expect(await given.attempt(given.right)).toBe(300)
})

test("a password that is changed while it is verified is refused", async () => {
  await using opened = await openTestApp()
  const { users } = opened.app.store
  const ana = await opened.create("Ana")
  const change = { userId: ana.id, password: "-".repeat(60), endsEverything: false, keepSession: null, spends: null }
  const verify: Hashing["verify"] = async (_, hash) => {
    await users.changePassword(change)
    return hash === ana.password
  }
  const { login } = createLogins({
    store: opened.app.store,
    hashing: { ...createHashing(4), verify },
    rateLimiter: createRateLimiter({ store: opened.app.store, clock: opened.clock.now, secret: "" }),
    maxFailures: 10,
    passwordLogin: "all",
    loginSources: createLoginSources({ store: opened.app.store, clock: opened.clock.now }),
    auditLog: opened.app.auditLog,
    secondFactors: opened.app.secondFactors,
  })

  const logging = login({ username: "ana", password: passwordOf("Ana"), address: "198.51.100.1" })

  expect(logging).rejects.toMatchObject({ code: "bad_login" })
})

test("all addresses of an IPv6 /64 count as one, and so do both notations of an IPv4 address", async () => {
  await using given = await openLogins()
  for (let host = 1; host <= 10; host++) await given.fail(1, { address: `2001:db8:0:7::${host}` })
  for (const address of ["203.0.113.7", "::ffff:203.0.113.7"]) await given.fail(5, { address })

  expect(await given.attempt(given.right, { address: "2001:db8:0:7:ffff::1" })).toBe(300)
  expect(await given.attempt(given.right, { address: "203.0.113.7" })).toBe(300)
  expect(await given.attempt(given.right, { address: "2001:db8:0:8::1" })).toBe("ana")
  expect(await given.attempt(given.right, { address: "::ffff:203.0.113.8" })).toBe("ana")
})

test("guesses from many sources limit an account, except at sources where it logged in before, even after a restart", async () => {
  await using given = await openLogins(2)
  const office = { address: "198.51.100.1" }
  expect(await given.attempt(given.right, office)).toBe("ana")
  await given.loginSources.close()
  for (let source = 0; source < 20; source++) await given.fail(1, { address: `203.0.113.${source}` })

  expect(await given.attempt(given.right, { address: "192.0.2.1" })).toBe(300)
  expect(await given.attempt(given.right, office)).toBe("ana")
  await given.fail(2, office)
  expect(await given.attempt(given.right, office)).toBe(300)
  const { store } = given.app
  const restarted = createLoginSources({ store, clock: given.clock.now })
  expect(await restarted.has(given.ana, office.address)).toBe(true)
  expect(await restarted.has(given.ana, "192.0.2.1")).toBe(false)
})

test("guesses from one source at many accounts limit that source, except for users who logged in there before", async () => {
  await using given = await openLogins(1)
  expect(await given.attempt(given.right)).toBe("ana")
  for (let account = 0; account < 100; account++) await given.fail(1, { username: `account ${account}` })

  expect(await given.attempt("wrong", { username: "bruno" })).toBe(300)
  expect(await given.attempt("wrong", { username: "bruno", address: "198.51.100.2" })).toBe("bad_login")
  expect(await given.attempt(given.right)).toBe("ana")
})

test("a source is familiar for 90 days after the last log-in there", async () => {
  await using given = await openLogins()
  const day = 24 * 60 * minute
  const source = "198.51.100.1"
  await given.loginSources.add(given.ana, source)
  await given.loginSources.sweep(given.clock.now())
  given.clock.advance(2 * day)
  await given.loginSources.add(given.ana, source)
  await given.loginSources.sweep(given.clock.now())

  given.clock.advance(90 * day - 1)
  await given.loginSources.sweep(given.clock.now())
  expect(await given.loginSources.has(given.ana, source)).toBe(true)
  given.clock.advance(1)
  expect(await given.loginSources.has(given.ana, source)).toBe(false)
  await given.loginSources.sweep(given.clock.now() + 1)
  expect(await given.app.store.users.lastLoginFrom(given.ana.id, source)).toBeNull()
})

test("one source can have at most 64 log-ins in progress; more are refused at once and not counted as failures", async () => {
  await using given = await openLogins()

  const answers = await Promise.all(Array.from({ length: 70 }, () => given.attempt(given.right, { username: "ana" })))

  expect(answers.filter((answer) => answer === "ana")).toHaveLength(64)
  expect(answers.filter((answer) => answer === 5)).toHaveLength(6)
  expect(await given.attempt(given.right)).toBe("ana")
})

test("at most 200 log-ins from all sources wait for an earlier attempt; more are refused at once", async () => {
  await using given = await openLogins()
  const sources = Array.from({ length: 4 }, (_, host) => ({ address: `198.51.100.${host}` }))

  const answers = await Promise.all(
    sources.flatMap((from) => Array.from({ length: 60 }, () => given.attempt(given.right, from))),
  )

  expect(answers.filter((answer) => answer === "ana")).toHaveLength(4 + maxQueued)
  expect(answers.filter((answer) => answer === 5)).toHaveLength(240 - 4 - maxQueued)
  expect(await given.attempt(given.right)).toBe("ana")
})

test("if no username matches exactly, one in another case or an e-mail address is accepted", async () => {
  await using given = await openLogins()

  for (const username of ["ana", "ANA", "Ana", "ana@example.com", "Ana@EXAMPLE.com"])
    expect([username, await given.attempt(given.right, { username })]).toEqual([username, "ana"])
  for (const username of [" ana", "ana@example.com ", "ana@", "@example.com", "an", "añá", ""])
    expect([username, await given.attempt(given.right, { username })]).toEqual([username, "bad_login"])
})

test("an exact username takes precedence; a name that otherwise fits two users is refused", async () => {
  await using given = await openLogins()
  const create = (name: string, username: string) =>
    given.app.users.create(operator, { name, username, email: `${name}@example.com`, dept: "sales", password: "x" })
  await create("eva", "ana@example.com")
  for (const name of ["bruno", "carla"]) await create(name, name)
  using database = new Database(given.app.config.db.path)
  database.run("UPDATE users SET username = 'Bruno', username_key = 'bruno' WHERE username = 'carla'")
  await new Promise(setImmediate) // the user cache notices the change in the next tick

  for (const username of ["ana@example.com", "bruno", "Bruno"])
    expect(await given.attempt(given.right, { username })).toBe(username)
  given.asked.length = 0
  for (const username of ["Ana@example.com", "BRUNO"])
    expect([username, await given.attempt(given.right, { username })]).toEqual([username, "bad_login"])
  expect(given.asked).toEqual([null, null])
})

test("failures of an account count together, in whatever form its name is written", async () => {
  await using given = await openLogins()
  const names = ["ana", "ANA", "aNa", "ana@example.com", "ANA@EXAMPLE.COM"]
  for (const username of [...names, ...names]) await given.fail(1, { username })

  for (const username of names) expect(await given.attempt(given.right, { username })).toBe(300)
  const unknown = ["nobody", "NOBODY", "Nobody@example.com", "nobody@EXAMPLE.com"]
  for (const username of unknown) await given.fail(5, { username })
  for (const username of unknown) expect(await given.attempt(given.right, { username })).toBe(300)
})

/** Logins with a higher `bcrypt_cost` than that of Ana's hash. */
async function openRaised() {
  const opened = await openTestApp()
  const ana = await opened.create("Ana")
  const { store, auditLog, secondFactors } = opened.app
  const loginSources = createLoginSources({ store, clock: opened.clock.now })
  const raised = (hashing: Partial<Hashing> = {}) =>
    createLogins({
      store,
      hashing: { ...createHashing(5), ...hashing },
      rateLimiter: createRateLimiter({ store, clock: opened.clock.now, secret: "" }),
      maxFailures: 10,
      passwordLogin: "all",
      loginSources,
      auditLog,
      secondFactors,
    })
  const login = { username: "ana", password: passwordOf("Ana"), address: "198.51.100.1" }
  const stored = async () => (await store.users.byUsername("ana"))?.password
  return { ...opened, ana, raised, login, stored }
}

test("a success replaces a hash of a lower cost and ends no token or session; a failure does not replace it", async () => {
  await using given = await openRaised()
  const { ana, raised, login, stored } = given
  const { refreshToken } = await given.app.tokens.signPair(ana, { fresh: true })
  const session = await given.app.sessions.open(ana, null)

  await expect(raised().login({ ...login, password: "wrong" })).rejects.toMatchObject({ code: "bad_login" })
  expect(await stored()).toBe(ana.password)
  await raised().login(login)
  const renewed = await stored()
  expect(renewed).toStartWith("$2b$05$")
  await raised().login(login)
  await given.app.logins.login(login)

  expect(await stored()).toBe(renewed)
  expect((await given.app.tokens.verify(refreshToken, "refresh_token")).user.username).toBe("ana")
  expect((await given.app.sessions.resolve(session)).user.username).toBe("ana")
})

test("two simultaneous log-ins with a hash of a lower cost both succeed", async () => {
  await using given = await openRaised()
  const logins = given.raised()

  const both = ["198.51.100.1", "198.51.100.2"].map((address) => logins.login({ ...given.login, address }))

  expect((await Promise.all(both)).map(({ user }) => user.username)).toEqual(["ana", "ana"])
  expect(await given.stored()).toStartWith("$2b$05$")
})

test("a password that is changed while its hash is renewed stays changed", async () => {
  await using given = await openRaised()
  const changed = await createHashing(4).hash("changed", { who: null, address: null })
  const hash: Hashing["hash"] = async (password, requester) => {
    const change = { userId: given.ana.id, password: changed, endsEverything: false, keepSession: null, spends: null }
    await given.app.store.users.changePassword(change)
    return createHashing(5).hash(password, requester)
  }

  await given.raised({ hash }).login(given.login)

  expect(await given.stored()).toBe(changed)
})

for (const code of ["busy", "unwritable", "unavailable"] as const)
  test(`a log-in succeeds even if its hash cannot be renewed now (${code})`, async () => {
    await using given = await openRaised()
    const hash: Hashing["hash"] = async () => {
      throw new DomainError(code)
    }

    expect((await given.raised({ hash }).login(given.login)).user.username).toBe("ana")
    expect(await given.stored()).toBe(given.ana.password)
  })
