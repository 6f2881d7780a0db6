import { expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import type { UserWithBalance } from "../../../src/domain/people/model.ts"
import { bounds } from "../../../src/http/costs.ts"
import { refused } from "../../support/answers.ts"
import { startTestServer, type TestServer } from "../../support/server.ts"

/** A server whose list of users is read once `begin` has resolved; `runs` counts how often. */
async function serverWith(people: (admin: UserWithBalance) => UserWithBalance[], begin = Promise.resolve()) {
  let runs = 0
  const server = await startTestServer({
    replace: ({ exports, store }) => ({
      store: {
        ...store,
        exports: {
          ...store.exports,
          async *users() {
            runs += 1
            await begin
            for await (const [admin] of store.exports.users()) if (admin) yield people(admin)
          },
        },
      },
      exports,
    }),
  })
  return { server, runs: () => runs, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test("equal lists that are asked for at the same time are written once for the first, and once for all others", async () => {
  const { promise, resolve: begin } = Promise.withResolvers<void>()
  await using started = await serverWith((admin) => [admin], promise)
  const { server } = started
  const first = server.anybody.get("/user/")
  while (started.runs() === 0) await Bun.sleep(1)
  const others = Array.from({ length: 5 }, () => server.anybody.get("/user/"))
  while ((await server.anybody.get("/healthz")).status !== 200) await Bun.sleep(1)
  begin()

  const answers = await Promise.all([first, ...others])
  const alone = await server.anybody.get("/user/")
  for (const answer of answers) expect(answer).toEqual(alone)
  expect(answers[0]).toMatchObject({ status: 200, body: [{ username: "admin" }] })
  expect(started.runs()).toBe(3)
})

test("an address that reads many large lists slowly is refused more of them, and nothing else", async () => {
  const bio = "x".repeat(2000)
  await using started = await serverWith((admin) => Array.from({ length: 10_000 }, () => ({ ...admin, bio })))
  const { server } = started
  const readers = await Promise.all(Array.from({ length: bounds.list.ofOne }, () => slowReader(server)))

  const tooMany = refused(429, "Your other downloads are still running; try again when one of them is done")
  expect(await server.anybody.get("/user/")).toMatchObject(tooMany)
  const headers = { "accept-encoding": "identity" }
  expect(await server.anybody.call("GET", "/openapi.json", { headers })).toMatchObject(tooMany)
  expect((await server.anybody.get("/user/admin/")).status).toBe(200)

  for (const reader of readers) reader.destroy()
  for (;;) {
    const { status, body } = await server.anybody.get("/user/")
    if (status === 429) continue
    expect(body).toHaveLength(10_000)
    break
  }
})

/** A client that has read the beginning of the list, and nothing more. */
function slowReader({ url }: TestServer): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect(Number(port), hostname, () => socket.write("GET /user/ HTTP/1.1\r\nHost: x\r\n\r\n"))
  socket.on("error", reject).once("data", () => {
    socket.pause()
    resolve(socket)
  })
  return promise
}
