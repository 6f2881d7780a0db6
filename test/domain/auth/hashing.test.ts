import { expect, test } from "bun:test"
import { type Bcrypt, createHashing, maxOfOwner, maxQueued } from "../../../src/domain/auth/hashing.ts"
import { DomainError } from "../../../src/domain/errors.ts"
import { countTicks } from "../../support/ticks.ts"

const hashing = createHashing(4)
const ana = { who: "ana", address: "192.0.2.1" }
const stranger = (host: number) => ({ who: null, address: `198.51.100.${host}` })

test("a hash is a salted bcrypt hash of the configured cost", async () => {
  const hashes = await Promise.all([hashing.hash("x", ana), hashing.hash("x", ana), createHashing(5).hash("x", ana)])

  for (const hash of hashes) expect(hash).toMatch(/^\$2b\$0[45]\$[./A-Za-z0-9]{53}$/)
  expect(new Set(hashes).size).toBe(3)
  expect(hashes[2]).toStartWith("$2b$05$")
})

const alike: [right: string, wrong: string][] = [
  ["x".repeat(72), "x".repeat(73)],
  ["x".repeat(73), "x".repeat(72)],
  [`${"x".repeat(1023)}a`, `${"x".repeat(1023)}b`],
  ["a\0b", "a\0c"],
  // bcrypt repeats a password with a NUL between.
  ["x", "x\0x"],
  ["x\0x", "x"],
  ["\0", "\0\0"],
  [`${"é".repeat(36)}a`, `${"é".repeat(36)}b`],
  [`${"x".repeat(72)}\0a`, `${"x".repeat(72)}\0b`],
]

for (const [right, wrong] of alike)
  test(`every byte of a password counts: ${right.length} and ${wrong.length} characters with the same beginning`, async () => {
    const hash = await hashing.hash(right, ana)

    expect(await hashing.verify(right, hash, ana)).toBe(true)
    expect(await hashing.verify(wrong, hash, ana)).toBe(false)
  })

test("a hash of another cost can still be verified", async () => {
  expect(await hashing.verify("x", await createHashing(6).hash("x", ana), ana)).toBe(true)
})

test("if a user has no hash, no password matches", async () => {
  for (const password of ["", "x", "e", "x".repeat(2000)]) expect(await hashing.verify(password, null, ana)).toBe(false)
})

test("if a user has no hash, a dummy hash of the same cost is verified, so that both cases take the same time", async () => {
  const { asked, finish, hashing } = controlled()
  const answers = Promise.all([hashing.verify("wrong", null, ana), hashing.verify("wrong", unusableHash(12), ana)])
  await finish()

  expect(await answers).toEqual([false, false])
  expect(asked).toEqual(["12 wrong", "12 wrong"])
  expect(unusableHash(12)).toMatch(/^\$2b\$12\$[./A-Za-z0-9]{53}$/)
})

test("at most two hashes run at once; the others wait in order of arrival", async () => {
  const { asked, finishOne, hashing } = controlled()
  const names = Array.from({ length: 20 }, (_, index) => `12 password ${index}`)
  const verified = Promise.all(names.map((_, index) => hashing.verify(`password ${index}`, unusableHash(12), ana)))

  expect(asked).toEqual(names.slice(0, 2))
  for (let done = 1; done <= names.length; done += 1) {
    await finishOne()
    expect(asked).toEqual(names.slice(0, done + 2))
  }
  expect(await verified).toEqual(names.map(() => false))
})

test("a request that is refused right before hashing frees its slot", async () => {
  const hash = await hashing.hash("right", ana)
  const refuse = () => {
    throw new Error("too late")
  }

  const refusals = Array.from({ length: 10 }, () => hashing.verify("right", hash, ana, refuse))
  expect((await Promise.allSettled(refusals)).map(({ status }) => status)).toEqual(Array(10).fill("rejected"))

  expect(await hashing.verify("right", hash, ana)).toBe(true)
})

test("the event loop keeps running while passwords are hashed", async () => {
  // A hash may be ready by the next tick. Hashing on this thread would never let one pass.
  let ticks = 0
  for (let attempt = 0; ticks === 0 && attempt < 20; attempt += 1)
    ticks = (await countTicks(() => createHashing(8).hash("x", ana))).ticks

  expect(ticks).toBeGreaterThan(0)
})

/** A fake bcrypt that notes each call (cost and password) and finishes only on demand. */
function controlled() {
  const asked: string[] = []
  const ends: (() => void)[] = []
  const bcrypt: Bcrypt = {
    hash: (password, cost) => noted(`${cost} ${password}`, unusableHash(cost)),
    verify: (password, hash) => noted(`${hash.slice(4, 6)} ${password}`, false),
  }
  const noted = async <T>(what: string, result: T): Promise<T> => {
    asked.push(what)
    await new Promise<void>((resolve) => ends.push(resolve))
    return result
  }
  /** Finishes the oldest call. */
  const finishOne = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  /** Finishes calls one after the other until none is left. */
  const finish = async () => {
    while (ends.length > 0) await finishOne()
  }
  return { asked, finishOne, finish, bcrypt, hashing: createHashing(12, { bcrypt }) }
}

const unusableHash = (cost: number) => createHashing(cost).unusableHash

test("a log-in waits for only the two running hashes of a user who changes a password 130 times at once", async () => {
  const { asked, finish, hashing } = controlled()

  const changes = Promise.allSettled(Array.from({ length: 130 }, () => hashing.hash("ana's", ana)))
  const login = hashing.verify("bruno's", unusableHash(12), { who: null, address: ana.address })
  await finish()

  expect(await login).toBe(false)
  expect(asked.indexOf("12 bruno's")).toBe(2)
  const refused = (await changes).flatMap((change) => (change.status === "rejected" ? [change.reason] : []))
  expect(refused).toHaveLength(130 - maxOfOwner)
  for (const reason of refused) expect(reason).toMatchObject({ code: "busy", retryAfterSeconds: 5 })
  expect(asked).toHaveLength(maxOfOwner + 1)
})

test("users and sources take turns, each with its own share; an IPv6 /64 counts as one source", async () => {
  const { asked, finish, hashing } = controlled()
  const ask = (what: string, requester: { who: string | null; address: string | null }) =>
    Array.from({ length: maxOfOwner + 1 }, () => hashing.hash(what, requester).then(() => "done", codeOf))

  const all = [
    ask("a", ana),
    ask("b", { who: null, address: ana.address }),
    ask("c", { who: null, address: "2001:db8::1" }),
    [hashing.hash("c", { who: null, address: "2001:db8::2" }).catch(codeOf)],
    ask("d", { who: "bruno", address: ana.address }),
  ]
  await finish()

  const answers = await Promise.all(all.map((some) => Promise.all(some)))
  for (const some of answers) expect(some.at(-1)).toBe("busy")
  expect(asked).toHaveLength(4 * maxOfOwner)
  expect(asked.map((what) => what.slice(3)).join("")).toMatch(/^aa(bacd)+(bcd)*$/)
})

test("one hash at a time runs where the machine has no core to spare", async () => {
  const { asked, finishOne, finish, bcrypt } = controlled()
  const hashing = createHashing(12, { bcrypt, atOnce: 1 })

  const hashes = ["a", "b"].map((password) => hashing.hash(password, ana))
  expect(asked).toEqual(["12 a"])
  await finishOne()
  expect(asked).toEqual(["12 a", "12 b"])
  await finish()
  await Promise.all(hashes)
})

test("the share of a user is free again when the hashes of that user are done", async () => {
  const { finish, hashing } = controlled()
  for (let round = 0; round < 3; round++) {
    const hashes = Array.from({ length: maxOfOwner }, () => hashing.hash("x", ana))
    expect(await hashing.hash("x", ana).catch(codeOf)).toBe("busy")
    await finish()
    await Promise.all(hashes)
  }
})

test("a hash of a lower cost is verified as slowly as an unknown user, and is marked as outdated", async () => {
  const { asked, finish, hashing } = controlled()

  const all = [null, unusableHash(12), unusableHash(10), unusableHash(13)].map((hash) => hashing.verify("x", hash, ana))
  await finish()

  expect(await Promise.all(all)).toEqual([false, false, false, false])
  // 2^10 + 2^10 + 2^11 is 2^12: what each of the first two costs.
  expect(asked.toSorted()).toEqual(["10 x", "10 x", "11 x", "12 x", "12 x", "13 x"])
  expect([10, 11, 12, 13].map((cost) => hashing.isOutdated(unusableHash(cost)))).toEqual([true, true, false, false])
})

const codeOf = (error: unknown) => (error instanceof DomainError ? error.code : String(error))

test("if the queue is full, a request is refused at once, with the time of the next try", async () => {
  const hash = await hashing.hash("right", ana)
  const asked = Array.from({ length: 2 + maxQueued + 10 }, (_, host) => hashing.verify("right", hash, stranger(host)))

  const refused = (await Promise.allSettled([...asked, hashing.hash("x", ana)])).filter(
    ({ status }) => status === "rejected",
  )

  expect(refused).toHaveLength(11)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: "busy", retryAfterSeconds: 5 })
  expect(await hashing.verify("right", hash, ana)).toBe(true)
})
