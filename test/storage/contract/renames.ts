import { expect, test } from "bun:test"
import { hashOf, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const to = (username: string, at = 10) => ({ renamed: { username, at, until: at + 100 } })

export function renamePromises(open: OpenSubject) {
  test("a rename holds in every store at once, for sessions and log-ins too, and the former name leads to the person", async () => {
    await using subject = await open()
    const { users, sessions } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const other = await subject.reopen()
    const session = { idHash: "s1", username: "ana", expiresAt: 1000, openedAt: 1, address: null }
    await sessions.open(session, null)
    await sessions.open({ ...session, idHash: "s2", username: "bruno" }, null)
    expect(await other.sessions.find("s1", 1)).toMatchObject({ username: "ana" })
    expect(await other.users.byUsername("ana")).toEqual(ana)
    const before = await other.users.revision()

    const renamed = await users.correct(ana.id, to("Anna"))
    expect(renamed).toEqual({ ...ana, username: "Anna" })
    for (const store of [subject.store, other]) {
      expect(await store.users.byUsername("Anna")).toEqual(renamed)
      expect(await store.users.byUsername("ana")).toBeNull()
      expect(await store.users.byLoginName("ANNA")).toEqual([renamed])
      expect(await store.users.byLoginName("ana")).toEqual([])
      expect(await store.sessions.find("s1", 1)).toMatchObject({ username: "Anna" })
      expect(await store.sessions.find("s2", 1)).toMatchObject({ username: "bruno" })
      expect(await store.sessions.list("Anna", 1)).toMatchObject([{ idHash: "s1" }])
      expect(await store.users.formerly("ana", 109)).toEqual(renamed)
      expect(await store.users.formerly("ana", 110)).toBeNull()
      expect(await store.users.formerly("Ana", 109)).toBeNull()
      expect(await store.users.formerlyAmong(["ana", "bruno"], 109)).toMatchObject([{ username: "ana", user: renamed }])
      expect(await store.users.formerlyAmong(["ana"], 110)).toEqual([])
    }
    expect(await other.users.revision()).not.toBe(before)
    const named = (words: string[]) => other.people.search({ words, dept: null, active: true, after: null, size: 9 })
    expect((await named(["anna"])).items).toMatchObject([{ username: "Anna" }])
    await users.correct(ana.id, { ...to("second"), name: "Both" })
    expect((await named(["second", "both"])).items).toMatchObject([{ username: "second" }])
    expect((await named(["anna"])).items).toEqual([])
    expect(await users.byUsername("bruno")).toEqual(bruno)
  })

  test("a former name is taken for everybody else until its time, in any case, and its former owner may have it back", async () => {
    await using subject = await open()
    const { users, audit } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await users.correct(ana.id, to("anna"))
    const entry = { at: 109, action: "user_created", who: null, whom: null, way: "server", address: null } as const
    const entryAt = (at: number) => ({ ...entry, at, count: 1, detail: null, before: null, after: null })
    const newcomer = person("Newcomer", { username: "ana" })

    for (const username of ["ana", "ANA"]) {
      expect(await refusalOf(users.create({ ...newcomer, username }, entryAt(109)))).toMatchObject({
        code: "username_taken",
      })
      expect(await refusalOf(users.correct(bruno.id, to(username, 109)))).toMatchObject({ code: "username_taken" })
      const create = [person("Two"), { ...newcomer, username }]
      const merged = users.merge({ create, update: [], entries: [entryAt(109)], jobs: [] })
      expect(await refusalOf(merged)).toMatchObject({ code: "username_taken", message: "Username already taken: ana" })
    }
    expect(await users.byUsername("two")).toBeNull()
    expect(await users.correct(ana.id, to("ana", 109))).toMatchObject({ username: "ana" })
    await users.correct(ana.id, to("anna", 110)) // until 210
    expect(await refusalOf(users.correct(bruno.id, to("ana", 209)))).toMatchObject({ code: "username_taken" })
    expect(await users.correct(bruno.id, to("ana", 210))).toMatchObject({ username: "ana" })
    expect(await users.create({ ...newcomer, username: "bruno" }, entryAt(310))).toMatchObject({ username: "bruno" })
    expect(await audit.list({ limit: 9 })).toHaveLength(1)
  })

  test("a taken or similar name is refused, and nothing is changed; the look-alikes of the former name are free", async () => {
    await using subject = await open()
    const { users, sessions } = subject.store
    const { ana } = await threePeople(subject.store)
    await sessions.open({ idHash: "s1", username: "ana", expiresAt: 1000, openedAt: 1, address: null }, null)
    for (const [username, code] of [
      ["bruno", "username_taken"],
      ["Bruno", "username_lookalike"],
      ["brun\u043E", "username_lookalike"],
    ] as const)
      expect(await refusalOf(users.correct(ana.id, { ...to(username), name: "New" }))).toMatchObject({ code })
    expect(await refusalOf(users.correct(ana.id, { ...to("free"), email: "bruno@example.com" }))).toMatchObject({
      code: "email_taken",
    })
    expect(await users.byUsername("ana")).toEqual(ana)
    expect(await sessions.find("s1", 1)).toMatchObject({ username: "ana" })
    expect(await users.formerly("ana", 11)).toBeNull()
    expect(await users.correct(ana.id, to("ANA"))).toMatchObject({ username: "ANA" }) // its own look-alike
    await users.correct(ana.id, to("else"))
    expect(await refusalOf(users.correct(ana.id + 1, to("el\u0455e")))).toMatchObject({ code: "username_lookalike" })
    expect(await users.correct(ana.id + 1, to("\u0430na", 500))).toMatchObject({ username: "\u0430na" })
  })

  test("each rename is an event, behind or before that of the changed user; an erasure ends former names", async () => {
    await using subject = await open()
    const { users, events } = subject.store
    const { ana } = await threePeople(subject.store)
    const last = await events.lastId()
    await users.correct(ana.id, to("anna"))
    await users.correct(ana.id, to("annie"))
    const told = await events.after(last, 9)
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      ...["user.renamed", "user.renamed", "user.updated", "user.updated"],
    ] as never)
    const ids = told.filter(({ type }) => type === "user.renamed").map(({ subject: id }) => id)
    expect(await users.renames(ids)).toMatchObject([{ username: "anna" }, { username: "ana" }])

    await users.setActive(ana.id, 20)
    const replacement = { username: "erased-1", name: "Former", email: "erased-1@erased.invalid", password: hashOf("") }
    const entry = { at: 30, action: "user_erased", who: null, whom: "erased-1", way: "server", address: null } as const
    const erased = { ...entry, count: 1, detail: null, before: null, after: null }
    await users.erase(ana.id, { at: 30, replacement, reasons: "none" }, erased)
    expect(await users.renames(ids)).toEqual([])
    expect(await users.formerly("ana", 31)).toBeNull()
    expect(await users.create(person("Ana"), { ...erased, action: "user_created" })).toMatchObject({ username: "ana" })
  })
}
