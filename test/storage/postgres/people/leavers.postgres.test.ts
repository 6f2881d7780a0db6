import { expect, test } from "bun:test"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import { createLedgerStore } from "../../../../src/storage/ledger/ledger.ts"
import { createUserStore } from "../../../../src/storage/people/users.ts"
import { createDatabase } from "../../../../src/storage/postgres/database/database.ts"
import { allow, hashOf, refusalOf, threePeople } from "../../contract/people.ts"
import { testClient, untilWaiting } from "../support.ts"

test("an account is not deactivated while a transfer is between its checks and its commit", async () => {
  await using subject = await testClient({ migrated: true, poolSize: 4 })
  const { client } = subject
  const users = createUserStore(createDatabase(client), async () => {})
  const ledger = createLedgerStore(createDatabase(client))
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
    await untilWaiting(client, 2, "ledger_state")
    expect(await client.query("SELECT FROM users WHERE deactivated_at IS NOT NULL")).toHaveLength(0)
  })

  await Promise.all(changes)
  expect(await refusalOf(ledger.post(transfer, allow))).toMatchObject({ code: "user_not_found" })
  expect(await refusalOf(ledger.post({ ...transfer, receiverId: carla.id }, allow))).toMatchObject({
    code: "user_not_found",
  })
})

test("while somebody's reasons are being erased, other accounts can be changed", async () => {
  await using subject = await testClient({ migrated: true, poolSize: 4 })
  const { client } = subject
  const users = createUserStore(createDatabase(client), async () => {})
  const { ana, bruno } = await threePeople({ users })
  const note = { reason: "For the review", tags: [], isPrivate: false }
  const transfer = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1, note } as const
  await createLedgerStore(createDatabase(client)).post(transfer, allow)
  await users.setActive(ana.id, 5)
  const replacement = { username: "erased-1", name: "x", email: "e@erased.invalid", password: hashOf("none") }
  const entry = auditEntry({ who: null, way: "server", address: null }, 9, "user_erased")
  let erased: Promise<void> | undefined

  await client.transaction(async ({ query }) => {
    await query("SELECT FROM notes FOR UPDATE")
    erased = users.erase(ana.id, { at: 9, replacement, reasons: "all" }, entry)
    await untilWaiting(client, 1, "erasures")
    expect(await users.correct(bruno.id, { name: "Bruno Lima" })).toMatchObject({ name: "Bruno Lima" })
  })

  await erased
  expect(await users.byUsername("erased-1")).toMatchObject({ id: ana.id, erasedAt: 9 })
  expect(await client.query("SELECT FROM notes")).toHaveLength(0)
})
