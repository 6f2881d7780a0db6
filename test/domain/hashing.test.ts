import { expect, test } from "bun:test"
import { createHashing, maxWaiting } from "../../src/domain/hashing.ts"

const hashing = createHashing(4)

test("a hash is bcrypt's, of the cost that was asked for, and salted", async () => {
  const hashes = await Promise.all([hashing.hash("x"), hashing.hash("x"), createHashing(5).hash("x")])

  for (const hash of hashes) expect(hash).toMatch(/^\$2b\$0[45]\$[./A-Za-z0-9]{53}$/)
  expect(new Set(hashes).size).toBe(3)
  expect(hashes[2]).toStartWith("$2b$05$")
})

const alike: [right: string, wrong: string][] = [
  ["x".repeat(72), "x".repeat(73)],
  ["x".repeat(73), "x".repeat(72)],
  [`${"x".repeat(1023)}a`, `${"x".repeat(1023)}b`],
  ["a\0b", "a\0c"],
  // bcrypt reads a password and its NUL round and round.
  ["x", "x\0x"],
  ["x\0x", "x"],
  ["\0", "\0\0"],
  [`${"é".repeat(36)}a`, `${"é".repeat(36)}b`],
  [`${"x".repeat(72)}\0a`, `${"x".repeat(72)}\0b`],
]

for (const [right, wrong] of alike)
  test(`every byte counts: ${right.length} and ${wrong.length} characters that begin alike`, async () => {
    const hash = await hashing.hash(right)

    expect(await hashing.verify(right, hash)).toBe(true)
    expect(await hashing.verify(wrong, hash)).toBe(false)
  })

test("hashes of another cost still serve", async () => {
  expect(await hashing.verify("x", await createHashing(6).hash("x"))).toBe(true)
})

test("without a hash the answer is no, whatever the password", async () => {
  for (const password of ["", "x", "e", "x".repeat(2000)]) expect(await hashing.verify(password, null)).toBe(false)
})

test("a wrong password and no hash at all take the same time", async () => {
  const slow = createHashing(8)
  const hash = await slow.hash("right")
  const timeOf = async (stored: string | null) => {
    const started = performance.now()
    await slow.verify("wrong", stored)
    return performance.now() - started
  }
  await timeOf(hash)

  const times: [known: number, unknown: number][] = []
  for (let round = 0; round < 15; round++) times.push([await timeOf(hash), await timeOf(null)])

  const least = (of: 0 | 1) => Math.min(...times.map((pair) => pair[of]))
  // Without a hash to compare with it would be next to nothing; how close they come depends on what else runs.
  expect(least(1) / least(0)).toBeGreaterThan(0.5)
})

test("no more than two run at a time; the others wait in the order in which they came", async () => {
  const hash = await hashing.hash("right")
  const begun: number[] = []
  let ended = 0
  let most = 0
  const verify = async (index: number) => {
    await hashing.verify("right", hash, () => {
      begun.push(index)
      most = Math.max(most, begun.length - ended)
    })
    ended += 1
  }

  await Promise.all(Array.from({ length: 20 }, (_, index) => verify(index)))

  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index))
  // A place is given on a moment before this test sees the end of the work that had it.
  expect(most).toBeWithin(2, 5)
})

test("who is refused when the turn has come gives the turn on", async () => {
  const hash = await hashing.hash("right")
  const refuse = () => {
    throw new Error("too late")
  }

  const refusals = Array.from({ length: 10 }, () => hashing.verify("right", hash, refuse))
  expect((await Promise.allSettled(refusals)).map(({ status }) => status)).toEqual(Array(10).fill("rejected"))

  expect(await hashing.verify("right", hash)).toBe(true)
})

test("the event loop goes on while passwords are hashed", async () => {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)

  await createHashing(10).hash("x")
  clearInterval(counting)

  expect(turns).toBeGreaterThan(5)
})

test("beyond a short queue nothing waits: it is told at once when to try again", async () => {
  const hash = await hashing.hash("right")
  const asked = Array.from({ length: 2 + maxWaiting + 10 }, () => hashing.verify("right", hash))

  const refused = (await Promise.allSettled([...asked, hashing.hash("x")])).filter(
    ({ status }) => status === "rejected",
  )

  expect(refused).toHaveLength(11)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: "busy", retryAfterSeconds: 5 })
  expect(await hashing.verify("right", hash)).toBe(true)
})
