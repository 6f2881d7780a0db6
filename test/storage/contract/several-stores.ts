import { expect, test } from "bun:test"
import type { PasswordChange } from "../../../src/domain/people/credentials.ts"
import type { User } from "../../../src/domain/people/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { nextTick } from "../../../src/domain/ticks.ts"
import { inTicks } from "../../support/ticks.ts"
import { allow, hashOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** A write of one store is visible to the others from the next tick on. Within a tick, a store may use what it has read
 *  in that tick. */

/** Reads Ana in every way, which also fills all caches of the store. */
async function anaIn({ users, people }: Store, username = "ana") {
  await nextTick()
  const search = { words: [username], dept: null, active: true, after: null, size: 10 }
  return {
    byUsername: await users.byUsername(username),
    byEmail: await users.byEmail("ana@example.com"),
    byLoginName: await users.byLoginName(username.toUpperCase()),
    byIds: await users.byIds([1]),
    found: (await people.search(search)).items.map(({ name, dept }) => [name, dept]),
  }
}

const allOf = (user: User, name = user.name) => ({
  byUsername: user,
  byEmail: user,
  byLoginName: [user],
  byIds: [user],
  found: [[name, user.dept]],
})

const passwordOf = ({ id }: User): PasswordChange => ({
  userId: id,
  password: hashOf("new"),
  endsEverything: false,
  keepSession: null,
  spends: null,
})

export function severalStorePromises(open: OpenSubject) {
  test("a change of a user is visible in the next read of every other store", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threePeople(subject.store)
    const others = [await subject.reopen(), await subject.reopen()]
    const changes: (() => Promise<unknown>)[] = [
      () => users.updateProfile(ana.id, { name: "Ana Maria", bio: "Hello" }),
      () => users.correct(ana.id, { dept: "support" }),
      () => users.changePassword({ ...passwordOf(ana), endsEverything: true }),
      () => users.renewHash(ana.id, hashOf("new"), hashOf("renewed")),
      () => users.endAccess(ana.id),
      () => users.endOthers(ana.id, { session: null, token: "t1" }),
      () => users.endAccess(null),
    ]
    for (const other of others) expect(await anaIn(other)).toEqual(allOf(ana))

    let before = ana
    for (const change of changes) {
      await change()
      const [changed] = await users.byIds([ana.id])
      expect(changed).not.toEqual(before)
      for (const other of others) expect(await anaIn(other)).toEqual(allOf(changed ?? ana))
      before = changed ?? ana
    }
  })

  test("an unknown user is found once another store has created that user, also by an import", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    expect(await anaIn(other)).toEqual({ byUsername: null, byEmail: null, byLoginName: [], byIds: [], found: [] })

    const { ana } = await threePeople(subject.store)
    expect(await anaIn(other)).toEqual(allOf(ana))
    const after = { ...ana, dept: "support", bio: "Imported" }
    await subject.store.users.merge({ create: [], update: [{ before: ana, after }], entries: [], jobs: [] })
    const [merged] = await subject.store.users.byIds([ana.id])
    expect(merged).toMatchObject({ dept: "support", bio: "Imported" })
    expect(await anaIn(other)).toEqual(allOf(merged ?? ana))
  })

  test("a session that one store ended is not found in another, which counts the change", async () => {
    await using subject = await open()
    const { sessions, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const other = await subject.reopen()
    const session = { username: "ana", expiresAt: 1_000, openedAt: 1, address: null }
    const ends: ((idHash: string) => Promise<unknown>)[] = [
      (idHash) => sessions.end(idHash),
      (idHash) => sessions.open({ ...session, idHash: `after ${idHash}` }, idHash),
      () => users.endOthers(ana.id, { session: null, token: null }),
      () => users.endAccess(ana.id),
      () => users.endAccess(null),
      () => users.changePassword(passwordOf(ana)),
    ]

    for (const [index, end] of ends.entries()) {
      const idHash = `s${index}`
      await sessions.open({ ...session, idHash }, null)
      expect(await other.sessions.find(idHash, 1)).toMatchObject({ idHash })
      const counted = await other.sessions.accessChanges()
      await end(idHash)
      expect(await other.sessions.find(idHash, 1)).toBeNull()
      expect(await other.sessions.accessChanges()).toBeGreaterThan(counted)
    }
  })

  test("a token that one store has spent is spent in another", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    const other = await subject.reopen()
    const spends = { tokenHash: "t1", expiresAt: 1_000, version: null }
    const change = { ...passwordOf(ana), spends }
    expect(await other.users.isSpent("t1")).toBe(false)

    await subject.store.users.changePassword(change)

    expect(await other.users.isSpent("t1")).toBe(true)
    await expect(other.users.changePassword(change)).rejects.toMatchObject({ code: "not_own_password" })
  })

  test("what one store posts is in the next balance, check and page of another", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const other = await subject.reopen()
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
    const key = { key: "one", requestHash: "five to Bruno", expiresAt: 1_000 }

    for (const [turn, one, another] of [
      [1, subject.store, other],
      [2, other, subject.store],
      [3, subject.store, other],
    ] as const) {
      const { id } = await one.ledger.post(entry, allow, { idempotencyKey: { ...key, key: `${turn}` } })
      expect(id).toBe(turn)
      expect(await another.users.balanceOf(bruno.id)).toBe(5 * turn)
      expect((await another.users.balancesOf([ana.id]))(ana.id)).toBe(-5 * turn)
      expect(await another.ledger.lastId()).toBe(turn)
      expect(await another.ledger.page({ page: 1, size: 10 })).toMatchObject({ total: turn })
      expect(await another.ledger.after(turn - 1, 10)).toHaveLength(1)
      expect(await another.ledger.findReplay(ana.id, { ...key, key: `${turn}` }, 1)).toMatchObject({ replayed: true })
      let seen: number[] = []
      const look = ({ sender, receiver }: { sender: number; receiver: number }) => {
        seen = [sender, receiver] // it may look once more, when it was wrong about the balances
        throw new Error("only looked")
      }
      await expect(another.ledger.post(entry, look)).rejects.toThrow("only looked")
      expect(seen).toEqual([-5 * turn, 5 * turn])
    }
  })

  test("a store that posts continuously respects what another store has posted and whom it has deactivated", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)
    const other = await subject.reopen()
    const post = ({ ledger }: Store, sender: User, receiver: User, see: (balance: number) => void = () => {}) =>
      ledger.post({ kind: "transfer", senderId: sender.id, receiverId: receiver.id, value: 1, date: 1 }, (balances) =>
        see(balances.receiver),
      )
    /** Posts in many ticks, so that batches follow each other closely. */
    const all = async (posts: readonly (() => Promise<unknown>)[]) => Promise.allSettled(await inTicks(posts))
    const turns = Array.from({ length: 80 }, (_, turn) => turn)
    const seen: number[] = [] // a check that was made on an outdated balance is repeated

    await all(
      turns.map((turn) => () => {
        const see = (balance: number) => {
          seen[turn] = balance
        }
        return turn % 10 === 5 ? post(other, carla, bruno, see) : post(subject.store, ana, bruno, see)
      }),
    )
    expect(seen.toSorted((one, another) => one - another)).toEqual(turns)
    expect((await other.users.list()).map(({ balance }) => balance)).toEqual([-72, 80, -8])

    await all(Array.from({ length: 20 }, () => () => post(subject.store, ana, bruno)))
    const posts = Array.from({ length: 20 }, () => () => post(subject.store, ana, bruno))
    await other.users.setActive(bruno.id, 500)
    const refusals = (await all(posts)).map((one) => (one.status === "rejected" ? one.reason.code : "posted"))
    expect(new Set(refusals)).toEqual(new Set(["user_not_found"]))
    await other.users.setActive(bruno.id, null)
    expect(await all(posts)).not.toContainEqual(expect.objectContaining({ status: "rejected" }))
    expect(await other.users.balanceOf(bruno.id)).toBe(120)
  })

  test("a store that appends alone again knows no account from before another one appended", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)
    const other = await subject.reopen()
    const received: number[] = []
    const post = ({ ledger }: Store, sender: User, receiver: User) =>
      ledger.post({ kind: "transfer", senderId: sender.id, receiverId: receiver.id, value: 1, date: 1 }, (balances) => {
        received.push(balances.receiver)
      })

    await post(subject.store, ana, carla)
    await post(other, bruno, carla)
    for (let turn = 0; turn < 3; turn += 1) await post(subject.store, ana, bruno)
    await post(subject.store, ana, carla)

    expect(received.at(-1)).toBe(2)
  })

  test("a job that one store claimed cannot be claimed or ended by another worker in another store", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { jobs: other } = await subject.reopen()
    const job = { kind: "mail", payload: {}, maxAttempts: 3, retryUntil: 9_000, runAt: 1, createdAt: 1 }
    const { id } = await jobs.enqueue(job)
    const done = { state: "completed", result: "sent" } as const

    const claims = await Promise.all(
      [jobs, other, jobs, other].map((queue, index) => queue.claim(`w${index}`, 1, 100, "mail")),
    )
    const [claimed, ...more] = claims.flatMap((claim) => claim ?? [])
    expect([claimed?.id, more]).toEqual([id, []])
    expect(await other.endAttempt(id, "another", done, 2)).toBe(false)
    expect(await other.endAttempt(id, claimed?.lockedBy ?? "", done, 2)).toBe(true)
    expect(await jobs.claim("w9", 9_999, 100, "mail")).toBeNull()
  })
}
