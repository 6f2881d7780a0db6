import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import type { UserChanges } from "../../../src/domain/people/model.ts"
import { allow, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const nothing: UserChanges = { create: [], update: [], entries: [], jobs: [] }
export function mergePromises(open: OpenSubject) {
  test("users are found by any of the usernames or addresses, once each, ignoring the case of addresses", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { users } = subject.store

    expect(await users.matching({ usernames: ["ana"], emails: ["ana@example.com"] })).toEqual([ana])
    expect(await users.matching({ usernames: ["ana", "eva"], emails: ["BRUNO@example.com"] })).toEqual([ana, bruno])
  })

  test("users are found by exactly their names", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { users } = subject.store

    expect(await users.named([bruno.name, ana.name, "Nobody"])).toEqual([ana, bruno])
    expect(await users.named([ana.name.toUpperCase(), ana.email])).toEqual([])
    expect(await users.named([])).toEqual([])
  })

  test("a merge is done in one commit with its entries and jobs, and every store sees it", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const { users, ledger, jobs, audit } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }, allow)
    await ledger.after(0, 1)
    const job = {
      kind: "invitation",
      payload: { email: "eva@example.com" },
      maxAttempts: 1,
      retryUntil: 9,
      runAt: 5,
      createdAt: 5,
    }
    const entry = auditEntry({ who: "admin", way: "http", address: null }, 5, "users_imported")

    const profile = {
      name: "Ana Souza",
      email: "Ana.Souza@example.com",
      dept: "support",
      bio: "Tea",
      birthday: "02-29",
    }
    const changed = { ...ana, ...profile, refreshVersion: ana.refreshVersion + 1 }
    const update = [{ before: ana, after: changed }]
    expect(await users.merge({ create: [person("Eva")], update, entries: [entry], jobs: [job] })).toBe(true)

    for (const store of [subject.store, other]) {
      expect(await store.users.byUsername("ana")).toEqual(changed)
      expect(await store.users.byEmail("ana.souza@EXAMPLE.com")).toEqual(changed)
      expect(await store.users.byUsername("eva")).toMatchObject(person("Eva"))
      expect(await store.ledger.after(0, 1)).toMatchObject([{ senderName: "Ana Souza" }])
    }
    expect(await audit.list({ limit: 1 })).toMatchObject([entry])
    expect(await jobs.claim("w", 5, 1000, "invitations")).toMatchObject({ kind: "invitation", payload: job.payload })
  })

  test("a name that looks like an existing one, or like another in the same merge, refuses the whole merge", async () => {
    await using subject = await open()
    const { users } = subject.store
    await threePeople(subject.store)
    const creating = (...names: string[]) =>
      users.merge({ ...nothing, create: names.map((username) => person(username, { username })) })

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

  test("nothing is done if a user has changed, or a name or address has been taken, in the meantime", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threePeople(subject.store)
    const before = await users.list()
    const renamed = { before: ana, after: { ...ana, name: "X" } }
    const merging = (changes: Partial<UserChanges>) => users.merge({ ...nothing, update: [renamed], ...changes })

    for (const taken of [{ username: "bruno" }, { email: "BRUNO@example.com" }])
      expect(await merging({ create: [{ ...person("Eva"), ...taken }] })).toBe(false)
    const moved = { before: ana, after: { ...ana, email: "BRUNO@example.com" } }
    expect(await merging({ create: [person("Eva")], update: [moved] })).toBe(false)
    for (const other of [{ username: "anna" }, { name: "Anna" }, { bio: "Tea" }, { refreshVersion: 7 }])
      expect(await merging({ update: [{ ...renamed, before: { ...ana, ...other } }] })).toBe(false)

    expect(await users.list()).toEqual(before)
    expect(await users.byUsername("ana")).toEqual(ana)
    expect(await merging({})).toBe(true)
  })
}
