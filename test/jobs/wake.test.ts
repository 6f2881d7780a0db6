import { expect, spyOn, test } from "bun:test"
import { Secret, TOTP } from "otpauth"
import { startTestServer } from "../support/server.ts"

test("every request that enqueues a mail wakes the worker, so that nobody waits for its next look", async () => {
  await using server = await startTestServer()
  const [ana, bruno, admin] = [await server.person("Ana"), await server.person("Bruno"), await server.admin()]
  await admin.post("/api/v1/grants", { usernames: ["bruno"], value: 100 })
  await bruno.post("/api/v1/transactions", { to: "ana", value: 100 })
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 40 })
  const wake = spyOn(server.app.worker, "wake")
  const wakes = async (request: () => Promise<unknown>) => {
    wake.mockClear()
    await request()
    return wake.mock.calls.length
  }
  const redeem = () => ana.post("/api/v1/rewards/1/redemptions", {})
  const addCodes = async () => {
    const { body } = await ana.post<{ secret: string }>("/api/v1/me/totp")
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({ timestamp: server.clock.now() })
    return ana.post<{ id: number }>("/api/v1/me/totp/confirmation", { code, name: "Phone" })
  }
  const importing = (options: string) =>
    admin.call("POST", `/api/v1/users/import?${options}`, {
      headers: { "content-type": "text/csv" },
      body: "username,name,email,dept\ncarla,Carla,carla@example.com,sales\n",
    })

  expect(await wakes(() => ana.get("/api/v1/me"))).toBe(0)
  expect(await wakes(() => server.anybody.post("/user/pwd_reset_token/", { email: "ana@example.com" }))).toBe(1)
  expect(await wakes(() => importing("dry_run=true&invite=true"))).toBe(0)
  expect(await wakes(() => importing("invite=true"))).toBe(1)
  expect(await wakes(redeem)).toBe(1)
  expect(await wakes(() => admin.post("/api/v1/redemptions/3/fulfilment", {}))).toBe(1)
  await redeem()
  expect(await wakes(() => admin.post("/api/v1/redemptions/4/rejection", {}))).toBe(1)
  expect(await wakes(addCodes)).toBe(1)
  expect(await wakes(() => ana.delete("/api/v1/me/second-factors/1"))).toBe(1)
  await addCodes()
  expect(await wakes(() => admin.delete("/api/v1/users/ana/second-factors"))).toBe(1)
  await server.app.mailDispatch.enqueueDue() // begins here
  await bruno.patch("/api/v1/me", { mail: "each" })
  await admin.post("/transaction/bruno/", { value: 5 })
  expect(await wakes(server.app.mailDispatch.enqueueDue)).toBe(1)
  expect(await wakes(server.app.mailDispatch.enqueueDue)).toBe(0)
})
