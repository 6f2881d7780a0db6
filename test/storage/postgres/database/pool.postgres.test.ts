import { expect, test } from "bun:test"
import type { Connection } from "../../../../src/storage/postgres/database/connection.ts"
import { PoolExhausted } from "../../../../src/storage/postgres/database/errors.ts"
import { createPool } from "../../../../src/storage/postgres/database/pool.ts"
import { askedBy } from "../../../../src/support/requester.ts"
import { refusalOf } from "../../contract/people.ts"

const patienceMs = 60_000

/** A pool of connections that lead nowhere. */
const poolOf = (size: number) =>
  createPool({ size, open: async () => ({ isOpen: () => true, close() {} }) as Connection })

test("somebody who waits for many connections lets another caller have the next one", async () => {
  const pool = poolOf(2)
  const got: string[] = []
  const use = (who: string) =>
    askedBy(who, async () => {
      const connection = await pool.acquire(patienceMs)
      got.push(who)
      return connection
    })
  const used = await Promise.all([use("ana"), use("ana")])
  const many = Array.from({ length: 64 }, () => use("ana").then(pool.release))
  const one = use("bruno").then(pool.release)
  expect(pool.state()).toMatchObject({ used: 2, waiting: 65 })

  pool.release(used[0])
  await one
  expect(got).toEqual(["ana", "ana", "bruno"])

  pool.release(used[1])
  await Promise.all(many)
  expect(pool.state()).toEqual({ size: 2, idle: 2, used: 0, waiting: 0 })
})

test("whoever gave up gets no connection, and leaves it to the next", async () => {
  const pool = poolOf(1)
  const only = await pool.acquire(patienceMs)
  expect(await refusalOf(pool.acquire(1))).toBeInstanceOf(PoolExhausted)
  const next = pool.acquire(patienceMs)

  pool.release(only)

  expect(await next).toBe(only)
})
