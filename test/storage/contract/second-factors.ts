import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { NewSecondFactor } from "../../../src/domain/auth/model.ts"
import type { SpentToken } from "../../../src/domain/people/credentials.ts"
import type { User } from "../../../src/domain/people/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { person, refusalOf } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

export const codes: NewSecondFactor = {
  kind: "totp",
  name: "Phone",
  credentialId: null,
  transports: null,
  key: "sealed",
  counter: 7,
  createdAt: 100,
}
const passkey: NewSecondFactor = {
  ...codes,
  kind: "passkey",
  name: "Laptop",
  credentialId: "one",
  transports: "usb,nfc",
  key: "public",
  counter: 0,
}
const entry: AuditEntry = {
  at: 1,
  action: "second_factor_added",
  who: "ana",
  whom: "ana",
  way: "http",
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
}
const nothing = { session: null, token: null }

async function ana({ users }: Store): Promise<User> {
  return users.create(person("Ana"))
}

const challenge = (tokenHash: string, version: number | null): SpentToken => ({ tokenHash, expiresAt: 1000, version })

const current = async ({ users }: Store) => (await users.byUsername("ana"))?.refreshVersion ?? -1

export function secondFactorPromises(open: OpenSubject) {
  test("every store knows an added factor, and adding it ends all sessions and tokens except the kept ones", async () => {
    await using subject = await open()
    const { store } = subject
    const { id, accessVersion, refreshVersion } = await ana(store)
    const session = { username: "ana", expiresAt: 1000, openedAt: 1, address: null }
    for (const idHash of ["kept", "other"]) await store.sessions.open({ ...session, idHash }, null)
    const other = await subject.reopen()
    expect(await other.users.byUsername("ana")).toMatchObject({ keptToken: null })

    const added = await store.secondFactors.add(id, passkey, { session: "kept", token: "hash" }, entry)

    expect(added).toEqual({ ...passkey, id: 1, lastUsedAt: null })
    expect(await other.secondFactors.of(id)).toEqual([{ ...passkey, id: 1, lastUsedAt: null }])
    await new Promise(setImmediate)
    for (const each of [store, other]) {
      expect(await each.users.byUsername("ana")).toMatchObject({
        keptToken: "hash",
        accessVersion: accessVersion + 1,
        refreshVersion: refreshVersion + 1,
      })
      expect((await each.sessions.list("ana", 0)).map(({ idHash }) => idHash)).toEqual(["kept"])
    }
    expect(await other.audit.list({ action: "second_factor_added", limit: 9 })).toHaveLength(1)
    // Nobody else can add the same passkey, and the attempt leaves no trace.
    const bruno = await store.users.create(person("Bruno"))
    expect(await store.secondFactors.add(bruno.id, passkey, nothing, entry)).toBeNull()
    expect(await store.users.byUsername("bruno")).toMatchObject({ refreshVersion: 0 })
    expect(await store.audit.list({ action: "second_factor_added", limit: 9 })).toHaveLength(1)
  })

  test("a new setup replaces an earlier one, expires, is pruned, and ends when the codes are added", async () => {
    await using subject = await open()
    const { secondFactors } = subject.store
    const { id } = await ana(subject.store)
    await secondFactors.beginSetup(id, { key: "first", expiresAt: 50 })
    await secondFactors.beginSetup(id, { key: "second", expiresAt: 100 })
    const other = await subject.reopen()

    expect(await other.secondFactors.setupOf(id, 99)).toEqual({ key: "second", expiresAt: 100 })
    expect(await other.secondFactors.setupOf(id, 100)).toBeNull()
    await secondFactors.pruneSetups(99)
    expect(await secondFactors.setupOf(id, 0)).not.toBeNull()
    await secondFactors.pruneSetups(100)
    expect(await secondFactors.setupOf(id, 0)).toBeNull()

    await secondFactors.beginSetup(id, { key: "third", expiresAt: 100 })
    await secondFactors.add(id, passkey, nothing, entry)
    expect(await secondFactors.setupOf(id, 0)).not.toBeNull()
    await secondFactors.add(id, codes, nothing, entry)
    expect(await secondFactors.setupOf(id, 0)).toBeNull()
  })

  test("a session or token that ended meanwhile cannot change second factors; one that was kept can", async () => {
    await using subject = await open()
    const { secondFactors, sessions, users } = subject.store
    const { id } = await ana(subject.store)
    await sessions.open({ username: "ana", expiresAt: 1000, openedAt: 1, address: null, idHash: "mine" }, null)
    await sessions.open({ username: "ana", expiresAt: 1000, openedAt: 1, address: null, idHash: "other" }, null)
    const { id: factorId = 0 } = (await secondFactors.add(id, codes, { session: "mine", token: null }, entry)) ?? {}
    const accessVersion = (await users.byUsername("ana"))?.accessVersion ?? 0
    await (await subject.reopen()).users.endOthers(id, { session: "mine", token: "kept", accessVersion })

    const { id: brunoId } = await users.create(person("Bruno"))
    await new Promise(setImmediate)
    const before = await users.byUsername("ana")
    for (const [userId, ended] of [
      [id, { session: "other", token: null }],
      [id, { session: null, token: "late", accessVersion }],
      [brunoId, { session: "mine", token: null }],
    ] as const)
      for (const attempt of [
        () => secondFactors.add(userId, passkey, ended, entry),
        () => secondFactors.remove(userId, factorId, ended, entry),
        () => secondFactors.replaceRecoveryCodes(userId, ["r1"], ended, entry),
      ])
        expect(await refusalOf(attempt())).toMatchObject({ code: "bad_credentials" })
    expect(await secondFactors.of(id)).toHaveLength(1)
    expect(await secondFactors.recoveryCodesLeft(id)).toBe(0)
    expect(await users.byUsername("ana")).toEqual(before)
    expect(await subject.store.audit.list({ action: "second_factor_added", limit: 9 })).toHaveLength(1)

    const kept = { session: null, token: "kept", accessVersion }
    expect(await secondFactors.replaceRecoveryCodes(id, ["r1"], kept, entry)).toBe(true)
    expect(await secondFactors.add(id, passkey, { session: "mine", token: null }, entry)).not.toBeNull()
  })

  test("a code, a challenge and a recovery code work once across all stores; a refused attempt uses up nothing", async () => {
    await using subject = await open()
    const { store } = subject
    const { id } = await ana(store)
    const other = await subject.reopen()
    const { id: factorId = 0 } = (await store.secondFactors.add(id, codes, nothing, entry)) ?? {}
    await store.secondFactors.replaceRecoveryCodes(id, ["r1", "r2"], nothing, entry)
    const version = await current(store)
    const use = (counter: number, token: string, by = store) =>
      by.secondFactors.use(id, { kind: "totp", factorId, counter }, challenge(token, version), 200)

    expect(await use(7, "a")).toBe(false)
    expect(await use(8, "a")).toBe(true)
    expect(await use(9, "a", other)).toBe(false)
    expect(await use(8, "b", other)).toBe(false)
    expect(await use(9, "b", other)).toBe(true)
    expect((await store.secondFactors.of(id))[0]).toMatchObject({ counter: 9, lastUsedAt: 200 })

    const recover = (codeHash: string, token: string, named: number | null = version) =>
      store.secondFactors.use(id, { kind: "recovery", codeHash }, challenge(token, named), 200, {
        ...entry,
        action: "recovery_code_used",
      })
    expect(await recover("unknown", "c")).toBe(false)
    expect(await recover("r1", "c", version - 1)).toBe(false)
    expect(await recover("r1", "c")).toBe(true)
    expect(await recover("r1", "d")).toBe(false)
    expect(await recover("r2", "d", null)).toBe(true)
    expect(await other.secondFactors.recoveryCodesLeft(id)).toBe(0)
    expect(await store.audit.list({ action: "recovery_code_used", limit: 9 })).toMatchObject([{ count: 2 }])
  })

  test("after a clock that ran ahead is set right, codes work again, each once", async () => {
    await using subject = await open()
    const { store } = subject
    const { id } = await ana(store)
    const { id: factorId = 0 } = (await store.secondFactors.add(id, codes, nothing, entry)) ?? {}
    const version = await current(store)
    const use = (counter: number, token: string) =>
      store.secondFactors.use(id, { kind: "totp", factorId, counter }, challenge(token, version), 200)

    expect(await use(5_000, "a")).toBe(true)
    expect(await use(4_998, "b")).toBe(false) // of a step that is accepted beside the next one
    expect(await use(8, "c")).toBe(true)
    expect(await use(8, "d")).toBe(false)
    expect(await use(9, "e")).toBe(true)
  })

  test("one of two simultaneous log-ins with the same code succeeds", async () => {
    await using subject = await open()
    const { id } = await ana(subject.store)
    const other = await subject.reopen()
    const { id: factorId = 0 } = (await subject.store.secondFactors.add(id, codes, nothing, entry)) ?? {}
    const version = await current(subject.store)

    const both = [subject.store, other].map(({ secondFactors }, index) =>
      secondFactors.use(id, { kind: "totp", factorId, counter: 8 }, challenge(`t${index}`, version), 200),
    )
    expect((await Promise.all(both)).toSorted()).toEqual([false, true])
  })

  test("a passkey without a counter stays at 0; the counter of any other never goes back", async () => {
    await using subject = await open()
    const { id } = await ana(subject.store)
    const { secondFactors } = subject.store
    const { id: factorId = 0 } = (await secondFactors.add(id, passkey, nothing, entry)) ?? {}
    const version = await current(subject.store)
    const use = (counter: number, token: string) =>
      secondFactors.use(id, { kind: "passkey", factorId, counter }, challenge(token, version), 200)

    expect(await use(0, "a")).toBe(true)
    expect(await use(0, "b")).toBe(true)
    expect(await use(5, "c")).toBe(true)
    expect(await use(5, "d")).toBe(false)
    expect(await use(0, "d")).toBe(false)
  })

  test("only the owner can remove a factor; with the last one, the recovery codes are deleted", async () => {
    await using subject = await open()
    const { secondFactors, users } = subject.store
    const { id } = await ana(subject.store)
    const bruno = await users.create(person("Bruno"))
    const first = (await secondFactors.add(id, codes, nothing, entry))?.id ?? 0
    const second = (await secondFactors.add(id, passkey, nothing, entry))?.id ?? 0
    expect(await secondFactors.replaceRecoveryCodes(bruno.id, ["x"], nothing, entry)).toBe(false)
    expect(await secondFactors.replaceRecoveryCodes(id, ["r1", "r2"], nothing, entry)).toBe(true)
    expect(await secondFactors.replaceRecoveryCodes(id, ["r3"], nothing, entry)).toBe(true)

    expect(await secondFactors.remove(bruno.id, first, nothing, entry)).toBe(false)
    const before = await current(subject.store)
    expect(await secondFactors.remove(id, first, { session: null, token: "hash" }, entry)).toBe(true)
    expect(await users.byUsername("ana")).toMatchObject({ refreshVersion: before + 1, keptToken: "hash" })
    expect(await secondFactors.recoveryCodesLeft(id)).toBe(1)
    expect(await secondFactors.remove(id, first, nothing, entry)).toBe(false)
    expect(await secondFactors.remove(id, second, nothing, entry)).toBe(true)
    expect(await secondFactors.recoveryCodesLeft(id)).toBe(0)
  })

  test("a reset removes all factors and ends all access", async () => {
    await using subject = await open()
    const { store } = subject
    const { id } = await ana(store)
    await store.secondFactors.add(id, codes, nothing, entry)
    await store.secondFactors.add(id, passkey, nothing, entry)
    await store.secondFactors.replaceRecoveryCodes(id, ["r1"], nothing, entry)
    await store.secondFactors.beginSetup(id, { key: "k", expiresAt: 100 })
    await store.sessions.open({ idHash: "s", username: "ana", expiresAt: 1000, openedAt: 1, address: null }, null)

    expect(await store.secondFactors.reset(id, { ...entry, action: "second_factors_reset" })).toBe(2)

    expect(await store.secondFactors.of(id)).toEqual([])
    expect(await store.secondFactors.recoveryCodesLeft(id)).toBe(0)
    expect(await store.secondFactors.setupOf(id, 0)).toBeNull()
    expect(await store.sessions.list("ana", 0)).toEqual([])
    expect(await store.secondFactors.reset(id, entry)).toBe(0)
  })

  test("an erasure removes factors, setups and recovery codes", async () => {
    await using subject = await open()
    const { store } = subject
    const { id } = await ana(store)
    await store.secondFactors.add(id, passkey, nothing, entry)
    await store.secondFactors.replaceRecoveryCodes(id, ["r1"], nothing, entry)
    await store.secondFactors.beginSetup(id, { key: "k", expiresAt: 100 })
    await store.users.setActive(id, 50)
    const { password } = person("Gone")
    const replacement = { username: "erased-1", name: "Gone", email: "erased-1@erased.invalid", password }
    await store.users.erase(id, { at: 60, replacement, reasons: "none" }, { ...entry, action: "user_erased" })

    expect(await store.secondFactors.of(id)).toEqual([])
    expect(await store.secondFactors.recoveryCodesLeft(id)).toBe(0)
    expect(await store.secondFactors.setupOf(id, 0)).toBeNull()
  })

  test("a change of a factor enqueues its notice; an attempt that changes nothing enqueues none", async () => {
    await using subject = await open()
    const { store } = subject
    const { id } = await ana(store)
    const { secondFactors, jobs } = store
    const notice = (kind: string) => ({ kind, payload: {}, maxAttempts: 1, retryUntil: 99, runAt: 1, createdAt: 1 })
    const enqueued = async () => {
      const kinds: string[] = []
      for (let job = await claimed(); job; job = await claimed()) kinds.push(job.kind)
      return kinds
    }
    const claimed = () => jobs.claim("w", 5, 50, "mail")

    const { id: factorId = 0 } = (await secondFactors.add(id, passkey, nothing, entry, notice("added"))) ?? {}
    await secondFactors.add(id, passkey, nothing, entry, notice("not added"))
    await secondFactors.remove(id, 99, nothing, entry, notice("not removed"))
    expect(await enqueued()).toEqual(["added"])
    await secondFactors.remove(id, factorId, nothing, entry, notice("removed"))
    await secondFactors.reset(id, entry, notice("not reset"))
    await secondFactors.add(id, codes, nothing, entry)
    await secondFactors.reset(id, entry, notice("reset"))
    expect(await enqueued()).toEqual(["removed", "reset"])
  })
}
