import { expect, test } from "bun:test"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { plainly, silent, testFolder } from "../../files.ts"

const nextTurn = () => new Promise(setImmediate)

async function openTwice(path: string) {
  const [here, there] = [await openStore({ path, log: silent }), await openStore({ path, log: silent })]
  const people = await threePeople(here)
  return {
    here,
    there,
    ...people,
    async [Symbol.asyncDispose]() {
      await here.close()
      await there.close()
    },
  }
}

test("a user is cached until this or another process changes the user", async () => {
  await using folder = await testFolder()
  await using given = await openTwice(folder.file("rewards.db"))
  const { here, there, ana } = given
  const bioOf = async () => (await here.users.byUsername("ana"))?.bio

  expect(await here.users.byUsername("ana")).toBe((await here.users.byUsername("ana")) ?? null)
  await here.users.updateProfile(ana.id, { avatar: null, bio: "of here" })
  expect(await bioOf()).toBe("of here")
  await there.users.updateProfile(ana.id, { avatar: null, bio: "of there" })
  await nextTurn()
  expect(await bioOf()).toBe("of there")
})

test("an unknown username is not cached, so a new user is found at once", async () => {
  await using folder = await testFolder()
  await using given = await openTwice(folder.file("rewards.db"))
  const { here, there, ana } = given
  const { id: _, accessVersion: __, refreshVersion: ___, ...person } = ana

  expect(await here.users.byUsername("dora")).toBeNull()
  await there.users.create({ ...person, username: "dora", email: "dora@example.com" })
  expect(await here.users.byUsername("dora")).toMatchObject({ username: "dora" })
})

test("balances and list ends are cached until another process posts", async () => {
  await using folder = await testFolder()
  await using given = await openTwice(folder.file("rewards.db"))
  const { here, there, ana, bruno } = given
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  const seen: number[] = []

  for (const store of [here, there, here, here, there, here])
    await store.ledger.post(entry, ({ receiver }) => void seen.push(receiver))

  // A store that finds another has posted looks once more.
  expect([...new Set(seen)]).toEqual([0, 5, 10, 15, 20, 25])
  expect(await here.ledger.post(entry, allow)).toMatchObject({ id: 7 })
})

test("somebody who was just deactivated receives nothing, although the account is cached", async () => {
  await using folder = await testFolder()
  await using given = await openTwice(folder.file("rewards.db"))
  const { here, ana, bruno } = given
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  await here.ledger.post(entry, allow)

  await here.users.setActive(bruno.id, 2)
  expect(await refusalOf(here.ledger.post(entry, allow))).toMatchObject({ code: "user_not_found" })
})

test("a page is cached until this or another process changes the ledger or a user", async () => {
  await using folder = await testFolder()
  await using given = await openTwice(folder.file("rewards.db"))
  const { here, there, ana, bruno } = given
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }
  const pageOf = () => here.ledger.pageWithBalance(bruno.id, { page: 1, size: 2 })
  const shown = async () => {
    await nextTurn()
    const { items, total, balance } = await pageOf()
    return [total, balance, items.map(({ senderUsername }) => senderUsername)]
  }

  await here.ledger.post(entry, allow)
  expect((await pageOf()).items).toBe((await pageOf()).items)
  expect(await shown()).toEqual([1, 1, ["ana"]])
  await here.ledger.post(entry, allow)
  expect(await shown()).toEqual([2, 2, ["ana", "ana"]])
  await there.ledger.post(entry, allow)
  expect(await shown()).toEqual([3, 3, ["ana", "ana"]])
  {
    using other = plainly(folder.file("rewards.db"))
    other.run("UPDATE users SET username = 'erased-1' WHERE username = 'ana'")
  }
  expect(await shown()).toEqual([3, 3, ["erased-1", "erased-1"]])
})
