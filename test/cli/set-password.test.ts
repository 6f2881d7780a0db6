import { expect, test } from "bun:test"
import { passwordOf } from "../support/app.ts"
import { startTestServer } from "../support/server.ts"
import { done, misused, operator, refused } from "./operator.ts"

const told = done("Password of ana set; all sessions and tokens of this user have ended")

/** A running server with Ana, and an operator beside it. */
async function operatorBesideServer() {
  const server = await startTestServer()
  const operates = await operator()
  return {
    server,
    ana: await server.person("Ana"),
    types: (args: readonly string[], typed = {}) =>
      operates.types([...args, "--db", server.app.config.db.path], { now: server.clock.now, ...typed }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await operates[Symbol.asyncDispose]()
    },
  }
}

test("sets a password and ends every session and token of that user alone, in a running server at once", async () => {
  await using beside = await operatorBesideServer()
  const { server, ana, types } = beside
  const session = await server.withSession(ana)
  const bruno = await server.person("Bruno")

  expect(await types(["set-password", "ana", "her new one"])).toEqual(told)

  expect(await ana.get("/transaction/")).toMatchObject({ status: 401 })
  expect(await session.get("/transaction/")).toMatchObject({ status: 401 })
  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toMatchObject({
    status: 401,
  })
  expect(await bruno.get("/transaction/")).toMatchObject({ status: 200 })
  const logIn = async (password: string) =>
    (await server.anybody.submit("/token", { username: "ana", password })).status
  expect(await logIn(passwordOf("Ana"))).toBe(401)
  expect(await logIn("her new one")).toBe(200)
})

for (const [from, args] of [
  ["-", ["set-password", "ana", "-"]],
  ["nothing", ["set-password", "ana"]],
] as const)
  test(`with ${from} in its place the password is a line of standard input`, async () => {
    await using beside = await operatorBesideServer()

    expect(await beside.types(args, { stdin: "her new one\n" })).toEqual(told)

    const { status } = await beside.server.anybody.submit("/token", { username: "ana", password: "her new one" })
    expect(status).toBe(200)
  })

test("at a terminal it is asked for twice, and both must be the same", async () => {
  await using beside = await operatorBesideServer()
  const asked = "New password:\nRepeat password:\n"
  const type = (stdin: string) => beside.types(["set-password", "ana"], { stdinIsTerminal: true, stdin })

  expect(await type("one\ntwo\n")).toEqual({ status: 1, stdout: "", stderr: `${asked}Passwords do not match\n` })
  expect(await type("one\n")).toEqual({ status: 1, stdout: "", stderr: `${asked}no input\n` })
  expect(await beside.ana.get("/transaction/")).toMatchObject({ status: 200 })
  expect(await type("one\none\n")).toEqual({ ...told, stderr: asked })
})

test("refuses what the rules refuse, and changes nothing", async () => {
  await using beside = await operatorBesideServer()
  const { ana, types } = beside

  expect(await types(["set-password", "carla", "x"])).toEqual(refused("User not found: carla"))
  expect(await types(["set-password", "ana", ""])).toEqual(refused("password: 1 to 1024 bytes"))
  expect(await types(["set-password", "ana"], { stdin: "" })).toEqual(refused("password: 1 to 1024 bytes"))
  const env = { REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "8" }
  expect(await types(["set-password", "ana", "1234567"], { env })).toEqual(refused("password: 8 to 1024 bytes"))
  expect(await types(["set-password"])).toEqual(misused("missing USERNAME", "See: rewards set-password --help"))

  expect(await ana.get("/transaction/")).toMatchObject({ status: 200 })
})
