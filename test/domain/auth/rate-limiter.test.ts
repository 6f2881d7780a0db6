import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { createRateLimiter } from "../../../src/domain/auth/rate-limiter.ts"
import { DomainError } from "../../../src/domain/errors.ts"
import { openTestApp } from "../../support/app.ts"

const limits = [{ kind: "guess", key: "a password, typed as a username", max: 2, windowMs: 60_000 }]

test("counters are stored under a hash of the key, so that a copy of the database does not reveal the key", async () => {
  await using opened = await openTestApp()
  const { store, config } = opened.app
  const { count } = createRateLimiter({ store, clock: opened.clock.now, secret: "s" })

  await count(limits)

  using database = new Database(config.db.path, { readonly: true })
  const expected = new Bun.CryptoHasher("sha256").update("s guess a password, typed as a username").digest("hex")
  expect(database.query("SELECT kind, key, count FROM rate_limits").all()).toEqual([
    { kind: "guess", key: expected, count: 1 },
  ])
})

test("while nothing can be stored, each process counts by itself, and events can be taken back", async () => {
  await using opened = await openTestApp()
  const { store } = opened.app
  const unwritable = async () => {
    throw new DomainError("unwritable")
  }
  let isFull = true
  const rateLimits: typeof store.rateLimits = {
    ...store.rateLimits,
    count: (...args) => (isFull ? unwritable() : store.rateLimits.count(...args)),
    takeBack: unwritable,
  }
  const limiter = createRateLimiter({ store: { rateLimits }, clock: opened.clock.now, secret: "s" })
  const outcome = async () => {
    const counted = await limiter.count(limits)
    return typeof counted === "number" ? counted : counted.takeBack
  }

  const takeBack = await outcome()
  expect(await outcome()).toBeFunction()
  expect([await outcome(), await limiter.waitSeconds(limits)]).toEqual([60, 60])
  if (typeof takeBack === "function") await takeBack()
  expect(await limiter.waitSeconds(limits)).toBe(0)
  expect(await outcome()).toBeFunction()
  expect(await outcome()).toBe(60)

  opened.clock.advance(60_000)
  isFull = false
  const stored = await outcome()
  if (typeof stored === "function") await stored() // fails without harm
  expect(await outcome()).toBeFunction()
  expect(await outcome()).toBe(60)
})
