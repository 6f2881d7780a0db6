import { expect, spyOn, test } from "bun:test"
import { forEverybody, whoAsks } from "../../src/support/requester.ts"
import { startTestServer } from "./server.ts"

test("what a request reads is read for its person, whichever credential was sent; for others, for their address", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const bruno = await server.withSession(await server.person("Bruno"))
  const [anaId, brunoId] = await Promise.all(
    [ana.username, "bruno"].map(async (name) => (await server.app.access.toUser(name))?.id),
  )
  const asked: (string | undefined)[] = []
  const history = spyOn(server.app.ledger, "history")
  const original = history.getMockImplementation()
  expect(original).toBeDefined()
  history.mockImplementation(async (...given) => {
    asked.push(whoAsks())
    await Bun.sleep(1)
    asked.push(whoAsks())
    asked.push(await forEverybody(async () => whoAsks()))
    return (original as typeof server.app.ledger.history)(...given)
  })

  const reset = spyOn(server.app.passwords, "requestReset").mockImplementation(async () => void asked.push(whoAsks()))

  await ana.get("/transaction/")
  await bruno.get("/transaction/")
  await server.anybody.post("/user/pwd_reset_token/", { email: "nobody@example.com" })
  expect(reset).toHaveBeenCalledTimes(1)
  expect(asked).toEqual([
    `person ${anaId}`,
    `person ${anaId}`,
    undefined,
    `person ${brunoId}`,
    `person ${brunoId}`,
    undefined,
    "address 127.0.0.1",
  ])
})
