import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"

test("a name that another process changed is read again", async () => {
  await using folder = await temporaryFolder()
  const path = `${folder.path}/rewards.db`
  const store = await openStore({ path })
  const { ana, bruno } = await threePeople(store)
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }, allow)
  expect(await store.ledger.after(0, 1)).toMatchObject([{ receiverName: bruno.name, senderName: ana.name }])

  const other = new Database(path)
  other.run("UPDATE users SET name = 'Bruno Costa' WHERE id = ?", [bruno.id])
  other.close()
  await nextTick()

  expect(await store.ledger.after(0, 1)).toMatchObject([{ receiverName: "Bruno Costa", senderName: ana.name }])
  await store.close()
})

test("if a transaction is missing, pages and the stream fail instead of showing a shorter ledger", async () => {
  await using folder = await temporaryFolder()
  const path = `${folder.path}/rewards.db`
  const store = await openStore({ path })
  const { ana, bruno } = await threePeople(store)
  const post = () =>
    store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }, allow)
  for (let count = 0; count < 9; count += 1) await post()

  const other = new Database(path)
  other.run("DROP TRIGGER transactions_are_never_deleted")
  other.run("DELETE FROM transactions WHERE id = 5")
  other.close()
  await nextTick()

  const { ledger } = store
  expect(await refusalOf(ledger.page({ page: 1, size: 50 }))).toMatchObject({
    message: expect.stringMatching(/missing/),
  })
  for (const limit of [5, 9, 100])
    expect(await refusalOf(ledger.after(0, limit))).toMatchObject({
      message: expect.stringMatching(/a transaction after 0 is missing/),
    })
  expect(await ledger.after(0, 4)).toHaveLength(4)
  expect(await ledger.after(5, 100)).toHaveLength(4)
  await post()
  expect(await ledger.after(9, 100)).toHaveLength(1)
  await store.close()
})
