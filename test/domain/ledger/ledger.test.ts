import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { DomainError } from "../../../src/domain/errors.ts"
import { createLedger } from "../../../src/domain/ledger/ledger.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { managementDept } from "../../../src/domain/people/roles.ts"
import { maxValue } from "../../../src/domain/points.ts"
import { defaultProgramme } from "../../../src/domain/programme/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { createLog } from "../../../src/support/log.ts"
import { createTestClock } from "../../support/clock.ts"
import { temporaryFolder } from "../../support/executable.ts"

/** Two superusers, who may send more than they have, and three regular users. */
const people = [
  ["Ana", managementDept],
  ["Bruno", managementDept],
  ["Carla", "sales"],
  ["Davi", "sales"],
  ["Elisa", "support"],
] as const

interface Send {
  /** Indexes in `people`. */
  readonly from: number
  readonly to: number
  readonly value: number
  /** Ticks of the event loop before it is sent. */
  readonly ticks: number
}

const someone = fc.nat({ max: people.length - 1 })
const sends = (value: fc.Arbitrary<number>, maxTicks: number): fc.Arbitrary<Send[][]> =>
  fc.array(
    fc.array(fc.record({ from: someone, to: someone, value, ticks: fc.nat({ max: maxTicks }) }), { maxLength: 12 }),
    { maxLength: 12 },
  )
const small = fc.integer({ min: 1, max: 12 })
const large = fc.constantFrom(maxValue, maxValue - 1, 2 ** 52, 2 ** 52 + 1, 2 ** 51, 5, 1)

/** Sends each group at once and waits for it. Returns the outcome of each: "sent", or the code of its refusal. */
async function sendAll({ users, ledger }: Fixture, groups: readonly (readonly Send[])[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const group of groups) {
    const settled = group.map(async ({ from, to, value, ticks }) => {
      for (let tick = 0; tick < ticks; tick += 1) await new Promise(setImmediate)
      return outcomeOf(ledger.sendPoints({ sender: userAt(users, from), receiver: userAt(users, to), value }))
    })
    outcomes.push(...(await Promise.all(settled)))
  }
  return outcomes
}

async function outcomeOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending
    return "sent"
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

const userAt = (users: readonly User[], index: number): User => {
  const user = users[index]
  if (!user) throw new Error(`no user with index ${index}`)
  return user
}

/** The outcomes and balances by the rules, one send after another, in unlimited integers. */
function expectedOf(groups: readonly (readonly Send[])[]): { outcomes: string[]; balances: bigint[] } {
  const balances = people.map(() => 0n)
  const outcomes = groups.flat().map(({ from, to, value }) => {
    const [sender = 0n, receiver = 0n, points] = [balances[from], balances[to], BigInt(value)]
    const isRegular = people[from]?.[1] !== managementDept
    if (isRegular && sender < points) return "insufficient_balance"
    if (from === to) return "sent"
    if (sender - points < -BigInt(maxValue) || receiver + points > BigInt(maxValue)) return "balance_out_of_range"
    balances[from] = sender - points
    balances[to] = receiver + points
    return "sent"
  })
  return { outcomes, balances }
}

interface Fixture extends AsyncDisposable {
  readonly store: Store
  readonly ledger: ReturnType<typeof createLedger>
  readonly users: readonly User[]
}

async function openFixture(): Promise<Fixture> {
  const folder = await temporaryFolder()
  const store = await openStore({ path: join(folder.path, "rewards.db"), log: createLog(() => {}) })
  const users: User[] = []
  for (const [name, dept] of people) {
    const username = name.toLowerCase()
    const rest = { currency: "USD", avatar: null, bio: null, password: "$2b$10$".padEnd(60, ".") }
    users.push(await store.users.create({ name, username, email: `${username}@example.com`, dept, ...rest }))
  }
  return {
    store,
    users,
    ledger: createLedger({
      store,
      clock: createTestClock().now,
      requestLimitOf: () => undefined,
      programme: async () => defaultProgramme,
      mostToOneOf: () => undefined,
    }),
    async [Symbol.asyncDispose]() {
      await store.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** The stored balances, those that the history adds up to, and the lowest that a regular user ever had. */
async function balancesIn({ store, users }: Fixture) {
  const { items } = await store.ledger.page({ page: 1, size: 1_000_000 })
  const summed = new Map(users.map(({ id }) => [id, 0n]))
  const add = (id: number, points: bigint) => summed.set(id, (summed.get(id) ?? 0n) + points)
  const regular = users.filter(({ dept }) => dept !== managementDept)
  let lowest = 0n
  for (const { senderId, receiverId, value } of items) {
    add(senderId, -BigInt(value))
    add(receiverId, BigInt(value))
    for (const { id } of regular) lowest = (summed.get(id) ?? 0n) < lowest ? (summed.get(id) ?? 0n) : lowest
  }
  const stored = (await store.users.list()).map(({ balance }) => BigInt(balance))
  return { stored, summed: [...summed.values()], lowest, count: items.length }
}

const sum = (balances: readonly bigint[]): bigint => balances.reduce((total, balance) => total + balance, 0n)

for (const [what, value] of [
  ["small values", small],
  ["values up to 2^53−1", large],
] as const) {
  test(`with ${what}, each send ends as the rules say, and simultaneous ones are handled in order of arrival`, () =>
    fc.assert(
      fc.asyncProperty(sends(value, 0), async (groups) => {
        await using fixture = await openFixture()

        const outcomes = await sendAll(fixture, groups)

        const { stored } = await balancesIn(fixture)
        expect({ outcomes, balances: stored }).toEqual(expectedOf(groups))
      }),
      { numRuns: 40 },
    ))

  test(`with ${what}, in any interleaving of sends: a balance is received minus sent, all add up to zero, and no regular user falls below zero`, () =>
    fc.assert(
      fc.asyncProperty(sends(value, 4), async (groups) => {
        await using fixture = await openFixture()

        const outcomes = await sendAll(fixture, groups)

        const { stored, summed, lowest, count } = await balancesIn(fixture)
        expect(stored).toEqual(summed)
        expect(sum(stored)).toBe(0n)
        expect(lowest).toBe(0n)
        expect(count).toBe(outcomes.filter((outcome) => outcome === "sent").length)
      }),
      { numRuns: 40 },
    ))
}

test("simultaneous sends of the same points to two receivers spend the points only once", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(small, { minLength: 2, maxLength: 30 }),
      async (points, values) => {
        await using fixture = await openFixture()
        await sendAll(fixture, [[{ from: 0, to: 2, value: points, ticks: 0 }]])

        await sendAll(fixture, [
          values.map((value, index) => ({ from: 2, to: 3 + (index % 2), value, ticks: index % 3 })),
        ])

        const { stored, lowest } = await balancesIn(fixture)
        expect(lowest).toBe(0n)
        expect(sum(stored.slice(2))).toBe(BigInt(points))
      },
    ),
    { numRuns: 30 },
  ))

test("a value is an integer from 1 to 2^53−1; anything else is refused and nothing is recorded", async () => {
  await using fixture = await openFixture()
  const notAValue = fc.oneof(
    fc.integer({ max: 0 }),
    fc.double().filter((value) => !(Number.isSafeInteger(value) && value >= 1)),
    fc.constantFrom(2 ** 53, 2 ** 53 + 2, -maxValue, -1, 0, -0, 0.5, 1e308, Number.NaN, Infinity, -Infinity),
  )

  await fc.assert(
    fc.asyncProperty(notAValue, someone, someone, async (value, from, to) => {
      expect(await sendAll(fixture, [[{ from, to, value, ticks: 0 }]])).toEqual(["invalid"])
    }),
    { numRuns: 200 },
  )

  expect(await fixture.store.ledger.page({ page: 1, size: 1 })).toEqual({ items: [], total: 0 })
})

test("the smallest and the largest value are accepted, and no balance goes beyond ±(2^53−1)", async () => {
  await using fixture = await openFixture()
  const anaToCarla = (value: number): Send => ({ from: 0, to: 2, value, ticks: 0 })

  const outcomes = await sendAll(fixture, [
    [anaToCarla(1), anaToCarla(maxValue), anaToCarla(maxValue - 1)],
    [anaToCarla(1), { from: 1, to: 2, value: 1, ticks: 0 }, { from: 0, to: 3, value: 1, ticks: 0 }],
    [{ from: 2, to: 2, value: maxValue, ticks: 0 }],
  ])

  expect(outcomes).toEqual([
    "sent",
    "balance_out_of_range",
    "sent",
    "balance_out_of_range",
    "balance_out_of_range",
    "balance_out_of_range",
    "sent",
  ])
  expect((await balancesIn(fixture)).stored).toEqual([-BigInt(maxValue), 0n, BigInt(maxValue), 0n, 0n])
})
