import { expect, test } from "bun:test"
import { maxSessions } from "../../../src/domain/auth/model.ts"
import { person, refusalOf } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const found = { idHash: "a1", username: "ana", expiresAt: 1_000 }
const opened = { ...found, openedAt: 900, address: "198.51.100.1" }

export function sessionPromises(open: OpenSubject) {
  test("every store knows from where and when an account last logged in, until that is pruned", async () => {
    await using subject = await open()
    const { users } = subject.store
    const [ana, bruno] = [await users.create(person("Ana")), await users.create(person("Bruno"))]
    await users.saveLoginSources([
      { userId: ana.id, source: "198.51.100.1", usedAt: 1 },
      { userId: ana.id, source: "2001:db8:0:0::/64", usedAt: 1 },
    ])
    await users.saveLoginSources([{ userId: ana.id, source: "198.51.100.1", usedAt: 2 }])
    const other = await subject.reopen()

    expect(await other.users.lastLoginFrom(ana.id, "198.51.100.1")).toBe(2)
    expect(await other.users.lastLoginFrom(bruno.id, "198.51.100.1")).toBeNull()
    await users.pruneLoginSources(2)
    expect(await other.users.lastLoginFrom(ana.id, "198.51.100.1")).toBe(2)
    expect(await other.users.lastLoginFrom(ana.id, "2001:db8:0:0::/64")).toBeNull()
  })

  test("every store finds a session until it expires", async () => {
    await using subject = await open()
    await subject.store.sessions.open(opened, null)
    const { sessions } = await subject.reopen()

    expect(await sessions.find("a1", 999)).toEqual(found)
    expect(await sessions.find("a1", 1_000)).toBeNull()
    expect(await sessions.find("a2", 999)).toBeNull()
  })

  test("every store finds the sessions that a log-in at a provider opened, until they expire", async () => {
    await using subject = await open()
    const { sessions } = subject.store
    await sessions.open({ ...opened, providedBy: "login-1" }, null)
    await sessions.open({ ...opened, idHash: "a2", providedBy: "login-2" }, null)
    await sessions.open({ ...opened, idHash: "a3" }, null)
    const other = await subject.reopen()

    expect(await other.sessions.ofLogin("login-1", 999)).toEqual([found])
    expect(await other.sessions.ofLogin("login-1", 1_000)).toEqual([])
    expect(await other.sessions.ofLogin("login-3", 999)).toEqual([])
  })

  test("a log-in opens and ends no session if sessions were ended after it began", async () => {
    await using subject = await open()
    const { sessions, users } = subject.store
    const { id, refreshVersion } = await users.create(person("Ana"))
    const other = await subject.reopen()
    await sessions.open(opened, null, refreshVersion)
    await other.users.endOthers(id, { session: "a1", token: null })

    const late = sessions.open({ ...opened, idHash: "a2" }, "a1", refreshVersion)
    expect(await refusalOf(late)).toMatchObject({ code: "bad_login" })
    const unknown = sessions.open({ ...opened, idHash: "a2", username: "bruno" }, "a1", refreshVersion)
    expect(await refusalOf(unknown)).toMatchObject({ code: "bad_login" })
    expect(await sessions.find("a2", 1)).toBeNull()
    expect(await sessions.find("a1", 1)).toMatchObject(found)
    await sessions.open({ ...opened, idHash: "a2" }, "a1", refreshVersion + 1)
    expect(await sessions.find("a2", 1)).toMatchObject({ idHash: "a2" })
  })

  test("every store counts changes that may end a session or token, but not log-ins and changes of a profile", async () => {
    await using subject = await open()
    const { sessions, users } = subject.store
    const other = await subject.reopen()
    const ana = await users.create(person("Ana"))
    let counted = await other.sessions.accessChanges()
    const hasGrown = async () => {
      const before = counted
      counted = await other.sessions.accessChanges()
      return counted > before
    }

    await sessions.open(opened, null)
    await users.updateProfile(ana.id, { bio: "Hello" })
    expect(await hasGrown()).toBe(false)
    await sessions.open({ ...opened, idHash: "a2" }, "a1")
    expect(await hasGrown()).toBe(true)
    await sessions.end("a2")
    expect(await hasGrown()).toBe(true)
    await users.endAccess(ana.id)
    expect(await hasGrown()).toBe(true)
    await users.correct(ana.id, { dept: "support" })
    expect(await hasGrown()).toBe(true)
  })

  test("a session opened in place of another ends only that one", async () => {
    await using subject = await open()
    const { sessions } = subject.store
    await sessions.open(opened, null)
    await sessions.open({ ...opened, idHash: "a2" }, null)

    await sessions.open({ ...opened, idHash: "a3" }, "a1")
    await sessions.open({ ...opened, idHash: "a4" }, "unknown")

    const found = await Promise.all(["a1", "a2", "a3", "a4"].map((idHash) => sessions.find(idHash, 0)))
    expect(found.map((session) => session?.idHash)).toEqual([undefined, "a2", "a3", "a4"])
  })

  test("a person has at most 100 sessions: one more ends the oldest, whenever it expires", async () => {
    await using subject = await open()
    const { sessions } = subject.store
    await sessions.open({ ...opened, idHash: "unknown-age", openedAt: null }, null)
    for (let time = 1; time < maxSessions; time += 1)
      await sessions.open({ ...opened, idHash: `s${time}`, openedAt: time, expiresAt: 2_000 - time }, null)
    await sessions.open({ ...opened, idHash: "other", username: "bruno", openedAt: 0 }, null)
    expect(await sessions.list("ana", 0)).toHaveLength(maxSessions)
    const { sessions: elsewhere } = await subject.reopen()
    const before = await elsewhere.accessChanges()

    await sessions.open({ ...opened, idHash: "new-1", openedAt: 0 }, null)
    expect(await elsewhere.find("unknown-age", 0)).toBeNull()
    expect(await elsewhere.accessChanges()).toBeGreaterThan(before)
    await sessions.open({ ...opened, idHash: "new-2", openedAt: 500 }, null)
    await sessions.open({ ...opened, idHash: "new-3", openedAt: 500 }, "new-2")

    const left = (await sessions.list("ana", 0)).map(({ idHash }) => idHash)
    const kept = Array.from({ length: maxSessions - 1 }, (_, i) => `s${i + 1}`)
    expect(left.toSorted()).toEqual(["new-3", ...kept].toSorted())
    expect(await sessions.find("other", 0)).toMatchObject({ username: "bruno" })
  })

  test("an ended session is gone; ending an unknown one does nothing", async () => {
    await using subject = await open()
    const { sessions } = subject.store
    await sessions.open(opened, null)
    await sessions.open({ ...opened, idHash: "a2" }, null)

    await sessions.end("a1")
    await sessions.end("a1")
    await sessions.end("unknown")

    expect(await sessions.find("a1", 0)).toBeNull()
    expect(await sessions.find("a2", 0)).toEqual({ ...found, idHash: "a2" })
  })

  test("pruning deletes only expired sessions", async () => {
    await using subject = await open()
    const { sessions } = subject.store
    await sessions.open(opened, null)
    await sessions.open({ ...opened, idHash: "later", expiresAt: 1_001 }, null)

    await sessions.prune(1_000)

    // Uses a time before the expiry of both.
    expect(await sessions.find("a1", 0)).toBeNull()
    expect(await sessions.find("later", 0)).toEqual({ ...found, idHash: "later", expiresAt: 1_001 })
  })

  test("unexpired sessions are listed for everybody or for one user, the last to expire first", async () => {
    await using subject = await open()
    const { sessions } = subject.store
    const a1 = { ...opened, expiresAt: 1_001 }
    const a2 = { ...opened, idHash: "a2", expiresAt: 1_002 }
    const b1 = { ...opened, idHash: "b1", username: "bruno", expiresAt: 1_003, openedAt: null, address: null }
    for (const session of [b1, a1, a2, { ...opened, idHash: "expired" }]) await sessions.open(session, null)

    expect(await sessions.list(null, 1_000)).toEqual([a2, a1, b1])
    expect(await sessions.list("ana", 1_000)).toEqual([a2, a1])
    expect(await sessions.list("carla", 1_000)).toEqual([])
  })
}
