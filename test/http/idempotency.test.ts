import { expect, test } from "bun:test"
import { keyLifetimeMs } from "../../src/domain/idempotency/idempotency.ts"
import { noSuchUser, refused } from "../support/answers.ts"
import { databaseIn, databaseSetting } from "../support/database.ts"
import { temporaryFolder } from "../support/executable.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"

const added = { status: 201, body: { message: "Transaction added" } }
const reused = refused(409, "This Idempotency-Key was used for another request")

const send = (sender: Pick<Person, "call">, receiver: string, key: string, json: object) =>
  sender.call("POST", `/transaction/${receiver}/`, { headers: { "idempotency-key": key }, json })

async function balanceOf(server: TestServer, { username }: Pick<Person, "username">): Promise<number> {
  const user = await server.app.access.toUser(username)
  return server.app.store.users.balanceOf(user.id)
}

test("the same request under the same key is executed once and answered the same", async () => {
  await using server = await startTestServer({ settings: { "recognition.tags": "help" } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  const thanks = { value: 10, reason: "Thanks", tags: ["help"], private: true }

  expect(await send(ana, "bruno", "one", thanks)).toEqual(added)
  // Her balance does not cover it any more.
  expect(await send(ana, "bruno", "one", thanks)).toEqual(added)
  expect(await send(ana, "bruno", "one", { ...thanks, reason: " Thanks\n", colour: "red" })).toEqual(added)

  expect([await balanceOf(server, ana), await balanceOf(server, bruno)]).toEqual([0, 10])
})

test("a different request under a used key is refused and nothing is recorded", async () => {
  await using server = await startTestServer({ settings: { "recognition.tags": "help" } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.person("Carla")
  await server.grant(ana, 10)
  const thanks = { value: 2, reason: "Thanks" }
  await send(ana, "bruno", "one", thanks)

  expect(await send(ana, "carla", "one", thanks)).toEqual(reused)
  expect(await send(ana, "bruno", "one", { value: 2 })).toEqual(reused)
  expect(await send(ana, "bruno", "one", { ...thanks, value: 3 })).toEqual(reused)
  expect(await send(ana, "bruno", "one", { ...thanks, reason: "thanks" })).toEqual(reused)
  expect(await send(ana, "bruno", "one", { ...thanks, private: true })).toEqual(reused)
  expect(await send(ana, "bruno", "one", { ...thanks, tags: ["help"] })).toEqual(reused)

  expect([await balanceOf(server, ana), await balanceOf(server, bruno)]).toEqual([8, 2])
})

test("each caller has separate keys, and every different key counts", async () => {
  await using server = await startTestServer()
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  for (const person of [ana, bruno]) await server.grant(person, 10)

  for (const sender of [ana, bruno])
    for (const key of ["one", "One", "one ".repeat(63), "~!\" '"])
      expect(await send(sender, "carla", key, { value: 1 })).toEqual(added)

  expect(await balanceOf(server, carla)).toBe(8)
})

test("a refused request leaves its key unused", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]

  expect(await send(ana, "bruno", "one", { value: 5 })).toEqual(refused(400, "Insufficient balance"))
  expect(await send(ana, "nobody", "one", { value: 5 })).toEqual(noSuchUser)
  expect(await send(ana, "bruno", "one", { value: 0 })).toMatchObject({ status: 422 })
  await server.grant(ana, 5)
  expect(await send(ana, "bruno", "one", { value: 4 })).toEqual(added)

  expect(await balanceOf(server, bruno)).toBe(4)
})

test("a key that is empty, longer than 255 characters or not printable ASCII is refused", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 5)

  for (const key of ["", "x".repeat(256), "caf\u00e9", "a\tb"])
    expect({ key, ...(await send(ana, "bruno", key, { value: 1 })) }).toEqual({
      key,
      ...refused(422, "Idempotency-Key: 1 to 255 printable ASCII characters"),
    })
  expect(await send(ana, "bruno", "x".repeat(255), { value: 1 })).toEqual(added)

  expect(await balanceOf(server, bruno)).toBe(1)
})

test("fifty simultaneous requests with the same key make one transfer, and all get the same answer", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 5)

  const answers = await Promise.all(Array.from({ length: 50 }, () => send(ana, "bruno", "one", { value: 5 })))

  expect(answers).toEqual(Array(50).fill(added))
  expect([await balanceOf(server, ana), await balanceOf(server, bruno)]).toEqual([0, 5])
})

test("simultaneous requests with the same key on two servers of one database make one transfer", async () => {
  await using folder = await temporaryFolder()
  const settings = databaseSetting(await databaseIn(folder.path))
  await using one = await startTestServer({ settings })
  await using other = await startTestServer({ settings })
  const [ana, bruno] = [await one.person("Ana"), await one.person("Bruno")]
  const anaElsewhere = await other.as(ana)
  await one.grant(ana, 5)

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => send(turn % 2 ? ana : anaElsewhere, "bruno", "one", { value: 5 })),
  )

  expect(answers).toEqual(Array(50).fill(added))
  expect([await balanceOf(one, ana), await balanceOf(other, bruno)]).toEqual([0, 5])
})

test("a key is valid for exactly 24 hours, also after a restart", async () => {
  await using folder = await temporaryFolder()
  const settings = databaseSetting(await databaseIn(folder.path))
  {
    await using server = await startTestServer({ settings })
    await server.person("Ana")
    expect(await send(await server.admin(), "ana", "one", { value: 5 })).toEqual(added)
  }

  await using server = await startTestServer({ settings })
  server.clock.advance(keyLifetimeMs - 1)
  const admin = await server.admin()
  expect(await send(admin, "ana", "one", { value: 5 })).toEqual(added)
  expect(await send(admin, "ana", "one", { value: 6 })).toEqual(reused)
  expect(await balanceOf(server, { username: "ana" })).toBe(5)

  server.clock.advance(1)
  expect(await send(admin, "ana", "one", { value: 6 })).toEqual(added)
  expect(await send(admin, "ana", "one", { value: 6 })).toEqual(added)
  expect(await balanceOf(server, { username: "ana" })).toBe(11)
})
