import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { temporaryFolder } from "../support/executable.ts"
import { allow, threePeople } from "./contract/people.ts"

test("a name that another process wrote is read anew", async () => {
  await using folder = await temporaryFolder()
  const path = `${folder.path}/rewards.db`
  const store = await openStore({ path })
  const { ana, bruno } = await threePeople(store)
  await store.ledger.post({ senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }, allow)
  expect(await store.ledger.after(0, 1)).toMatchObject([{ receiverName: bruno.name, senderName: ana.name }])

  const other = new Database(path)
  other.run("UPDATE users SET name = 'Bruno Costa' WHERE id = ?", [bruno.id])
  other.close()

  expect(await store.ledger.after(0, 1)).toMatchObject([{ receiverName: "Bruno Costa", senderName: ana.name }])
  await store.close()
})
