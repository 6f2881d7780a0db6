import { expect, test } from "bun:test"
import { startTestServer } from "./server.ts"

/* Run by test/files-passed.test.ts with coverage: TRANSFERS=1 PAGES=41 bun test --coverage ./test/support/requests.ts */

const countOf = (name: string) => Number(process.env[name] ?? 1)

test("points are sent, and a history is read", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await Promise.all(Array.from({ length: 300 }, (_, index) => server.grant(ana, 1 + index)))

  for (let sent = 0; sent < countOf("TRANSFERS"); sent += 1)
    expect(await admin.post("/transaction/ana/", { value: 1 })).toMatchObject({ status: 201 })
  for (let read = 0; read < countOf("PAGES"); read += 1)
    for (const order of ["-value", "user"])
      expect(await ana.get(`/transaction/?order_by=${order}`)).toMatchObject({ status: 200 })
})
