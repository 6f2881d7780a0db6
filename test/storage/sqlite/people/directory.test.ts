import { expect, test } from "bun:test"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { hashOf } from "../../contract/people.ts"
import { plainly, silent, testFolder } from "../../files.ts"

test("all people are found if there is more than one slice, by simultaneous searches too", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await (await openStore({ path, log: silent })).close()
  crowd(path, 0, 2100)
  const store = await openStore({ path, log: silent })
  const search = async (words: readonly string[]) =>
    (await store.people.search({ words, dept: null, active: true, after: null, size: 9000 })).items.length

  expect(await Promise.all([search(["p"]), search([])])).toEqual([2100, 2100])
  expect(await search(["p2099"])).toBe(1)
  crowd(path, 2100, 5000)
  await nextTick()
  expect(await Promise.all([search(["p"]), search(["p4999"])])).toEqual([5000, 1])
  await store.close()
})

/** So many users, as another process writes them. */
function crowd(path: string, from: number, to: number) {
  using client = plainly(path)
  const insert = client.prepare(
    `INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency)
     VALUES (?, ?, ?, ?, ?, ?, 'sales', 'USD')`,
  )
  client.transaction(() => {
    for (let number = from; number < to; number += 1) {
      const name = `P${number}`
      insert.run(name, name, name, name.toLowerCase(), hashOf(name), name)
    }
  })()
}
