import { expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { threePeople } from "./contract/people.ts"
import { plainly, silent, testFolder } from "./files.ts"

test("a device from before sessions were stored with devices gets nothing more, and is deleted", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const { push, ...store } = await openStore({ path, log: silent })
  const { ana } = await threePeople(store)
  const browser = { endpoint: "https://push.example.com/1", p256dh: "key", auth: "auth", name: "Phone" }
  const added = { ...browser, userId: ana.id, createdAt: 5, endsAt: 100 }
  const { id } = await push.add(added, 9, { session: null, token: null })
  using client = plainly(path)
  client.run("UPDATE push_devices SET ends_at = NULL")

  expect([await push.device(id, 6), await push.devicesOf(ana.id, 6)]).toEqual([null, []])
  await push.prune(6)
  expect(client.query("SELECT id FROM push_devices").all()).toEqual([])
  await store.close()
})
