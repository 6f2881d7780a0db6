import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit.ts"
import type { UserChanges } from "../../../src/domain/imports.ts"
import type { OpenSubject } from "../contract.ts"
import { allow, person, refusalOf, threePeople } from "./people.ts"

const nothing: UserChanges = { create: [], update: [], entries: [], jobs: [] }
const keys = { usernames: ["ana", "eva"], emails: ["BRUNO@example.com"] }

export function mergePromises(open: OpenSubject) {
  test("whoever has one of the names or addresses is found, once and without regard to the addresses' case", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    let found: unknown

    expect(await subject.store.users.matching({ usernames: ["ana"], emails: ["ana@example.com"] })).toEqual([ana])
    await subject.store.users.merge(keys, (matching) => {
      found = matching
      return nothing
    })

    expect(found).toEqual([ana, bruno])
  })

  test("what the plan says is done in one commit, with its entries and jobs, and every store sees it", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const { users, ledger, jobs, audit } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await ledger.post({ senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }, allow)
    await ledger.after(0, 1)
    const job = { kind: "invitation", payload: { email: "eva@example.com" }, maxAttempts: 1, runAt: 5, createdAt: 5 }
    const entry = auditEntry({ who: "admin", way: "http", address: null }, 5, "users_imported")

    const profile = { name: "Ana Souza", email: "Ana.Souza@example.com", dept: "support", bio: "Tea" }
    const changed = { ...ana, ...profile, refreshVersion: ana.refreshVersion + 1 }
    await users.merge(keys, () => ({ create: [person("Eva")], update: [changed], entries: [entry], jobs: [job] }))

    for (const store of [subject.store, other]) {
      expect(await store.users.byUsername("ana")).toEqual(changed)
      expect(await store.users.byEmail("ana.souza@EXAMPLE.com")).toEqual(changed)
      expect(await store.users.byUsername("eva")).toMatchObject(person("Eva"))
      expect(await store.ledger.after(0, 1)).toMatchObject([{ senderName: "Ana Souza" }])
    }
    expect(await audit.list({ limit: 1 })).toMatchObject([entry])
    expect(await jobs.claim("w", 5, 1000)).toMatchObject({ kind: "invitation", payload: job.payload })
  })

  test("a name that looks like another's, or like one of the same merge, refuses all of it", async () => {
    await using subject = await open()
    const { users } = subject.store
    await threePeople(subject.store)
    const creating = (...names: string[]) =>
      users.merge(keys, () => ({ ...nothing, create: names.map((username) => person(username, { username })) }))

    for (const names of [
      ["eva", "аna"],
      ["eva", "еvа"],
    ])
      expect(await refusalOf(creating(...names))).toMatchObject({
        code: "username_lookalike",
        message: `Username looks like one that is already taken: ${names[1]}`,
      })
    expect(await users.byUsername("eva")).toBeNull()
    await creating("еvа")
    expect(await refusalOf(creating("eva"))).toMatchObject({ code: "username_lookalike" })
  })

  test("what the plan throws, or the data refuses, leaves no trace of the rest", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threePeople(subject.store)
    const before = await users.list()
    const refusal = new Error("no")

    expect(
      await refusalOf(
        users.merge(keys, () => {
          throw refusal
        }),
      ),
    ).toBe(refusal)
    const taken = { ...person("Eva"), username: "bruno" }
    await refusalOf(users.merge(keys, () => ({ ...nothing, update: [{ ...ana, name: "X" }], create: [taken] })))

    expect(await users.list()).toEqual(before)
    expect(await users.byUsername("ana")).toEqual(ana)
  })
}
