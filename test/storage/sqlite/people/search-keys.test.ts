import { expect, test } from "bun:test"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { hashOf, person, threePeople } from "../../contract/people.ts"
import { connect, plainly, silent, storesOn, testFolder } from "../../files.ts"

test("people whom another program added are found, however many, by simultaneous searches too", async () => {
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

test("whatever changes a name or a username stores what searches compare", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await using connection = await connect(path)
  const { users } = storesOn(connection)
  using client = plainly(path)
  const keys = () => client.query<{ key: string }, []>("SELECT search_key AS key FROM users ORDER BY id").all()
  const { ana } = await threePeople({ users })
  const created = keys()
  const replacement = { username: "erased-1", name: "Nobody", email: "e@erased.invalid", password: ana.password }
  const erased = auditEntry({ who: null, way: "server", address: null }, 9, "user_erased")
  const seen: (string | undefined)[] = []
  for (const change of [
    () => users.updateProfile(ana.id, { name: "Änne" }),
    () => users.correct(ana.id, { name: "Olívia" }),
    async () => {
      const update = (await users.byIds([ana.id])).map((before) => ({ before, after: { ...before, name: "Zoë X" } }))
      await users.merge({ create: [person("Émile")], update, entries: [], jobs: [] })
    },
    () => users.setActive(ana.id, 5),
    () => users.erase(ana.id, { at: 9, replacement, reasons: "none" }, erased),
  ]) {
    await change()
    seen.push(keys()[0]?.key)
  }

  expect(created.map(({ key }) => key)).toEqual(["\x01ana\x01ana", "\x01bruno\x01bruno", "\x01carla\x01carla"])
  expect(seen).toEqual([
    "\x01anne\x01ana",
    "\x01olivia\x01ana",
    "\x01zoe\x01x\x01ana",
    "\x01zoe\x01x\x01ana",
    "\x01nobody\x01erased-1",
  ])
  expect(keys()[3]?.key).toBe("\x01emile\x01emile")
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
