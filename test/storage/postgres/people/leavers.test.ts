import { expect, test } from "bun:test"
import { createLedgerStore } from "../../../../src/storage/postgres/ledger/ledger.ts"
import { createUserStore } from "../../../../src/storage/postgres/people/users.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { testClient } from "../support.ts"

test("an account is deactivated only when no transfer is between its checks and its commit", async () => {
  await using subject = await testClient({ migrated: true, poolSize: 4 })
  const { client } = subject
  const users = createUserStore(client)
  const ledger = createLedgerStore(client)
  const { ana, bruno, carla } = await threePeople({ users })
  const transfer = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 } as const
  const merged = {
    update: [{ before: carla, after: { ...carla, deactivatedAt: 5 } }],
    create: [],
    entries: [],
    jobs: [],
  }
  const changes: Promise<unknown>[] = []

  await client.transaction(async ({ query }) => {
    await query("SELECT FROM ledger_state FOR UPDATE") // as a transfer that has passed its checks
    changes.push(users.setActive(bruno.id, 5), users.merge(merged))
    await untilWaiting(2)
    expect(await client.query("SELECT FROM users WHERE deactivated_at IS NOT NULL")).toHaveLength(0)
  })

  await Promise.all(changes)
  expect(await refusalOf(ledger.post(transfer, allow))).toMatchObject({ code: "user_not_found" })
  expect(await refusalOf(ledger.post({ ...transfer, receiverId: carla.id }, allow))).toMatchObject({
    code: "user_not_found",
  })

  /** Until so many connections wait for a lock of this database. */
  async function untilWaiting(count: number) {
    for (let attempt = 0; attempt < 400; attempt++) {
      const waiting = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%ledger_state%'`,
      )
      if (waiting.length === count) return
      await Bun.sleep(10)
    }
    throw new Error(`${count} connections do not wait for the lock of the ledger`)
  }
})
