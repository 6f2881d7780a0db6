import { expect, test } from "bun:test"
import { callerOf } from "../support/credentials.ts"
import { databaseIn, query } from "../support/database.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { createReceiver } from "../support/receiver.ts"
import { until } from "../support/until.ts"

const transfersEach = 3

/** When the server is killed: what must have been received of the last transfers, and how the receiver answers meanwhile. */
const moments = [
  { name: "before they are delivered", received: 0 },
  { name: "while one is delivered", received: 1, fault: "hang" },
  { name: "between two of them", received: 2 },
  { name: "after all of them", received: transfersEach },
] as const

test("a server killed before, during or after a delivery loses no event and keeps them in order", async () => {
  await using folder = await temporaryFolder()
  const receiver = await createReceiver(null)
  const env = {
    REWARDS_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.0/8",
    REWARDS_WEBHOOKS__PORTS: `${receiver.port}`,
  }
  const start = () => startServer({ cwd: folder.path, env })
  const database = await databaseIn(folder.path)
  const sent: number[] = []
  let server = await start()
  try {
    const admin = await callerOf(server.url, { username: "admin", password: "admin" })
    await admin.post("/user/", { name: "Bruno", email: "bruno@example.com", dept: "sales", password: "a password" })
    const hook = { url: receiver.url, events: ["transaction.created"] }
    expect((await admin.post("/api/v1/webhooks", hook)).status).toBe(201)

    for (const { received, ...rest } of moments) {
      receiver.alwaysAnswer("fault" in rest ? { fault: rest.fault } : {})
      const before = receiver.received.length
      const caller = await callerOf(server.url, { username: "admin", password: "admin" })
      for (let count = 0; count < transfersEach; count += 1) {
        const { status, body } = await caller.post<{ id: number }>("/api/v1/transactions", { to: "bruno", value: 1 })
        expect(status).toBe(201)
        sent.push(body.id)
      }
      await until(() => receiver.received.length >= before + received)
      await server.stop("SIGKILL")

      // The lease of the process that was killed would end in a minute.
      await query(database, "UPDATE webhooks SET locked_by = NULL, locked_until = NULL RETURNING id")
      receiver.alwaysAnswer({})
      server = await start()
      const deliveredIds = () => receiver.received.map(({ body }): number => JSON.parse(body).data.id)
      await until(() => sent.every((id) => deliveredIds().includes(id)))
      expect([...new Set(deliveredIds())]).toEqual(sent)
    }
  } finally {
    await server.stop()
    await receiver.close()
  }
})
