import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import { hashOf, person, personalRowsOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const issuer = "https://login.example.com"
const entry: AuditEntry = {
  at: 5,
  action: "identity_linked",
  who: "ana",
  whom: "ana",
  way: "http",
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
}

export function identityPromises(open: OpenSubject) {
  test("an account at a provider belongs to one user in every store, and is stored with its audit entry", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { identities } = subject.store
    const other = await subject.reopen()

    expect(await identities.find(issuer, "1")).toBeNull()
    expect(await identities.link({ issuer, subject: "1", userId: ana.id, linkedAt: 5 }, entry)).toBe(true)
    expect(await other.identities.find(issuer, "1")).toBe(ana.id)
    expect(await other.identities.link({ issuer, subject: "1", userId: bruno.id, linkedAt: 6 }, entry)).toBe(false)

    expect(await identities.find(issuer, "1")).toBe(ana.id)
    expect(await identities.find("https://another.example.com", "1")).toBeNull()
    expect(await other.audit.list({ limit: 9 })).toMatchObject([entry])
  })

  test("a user can have one account at each provider, and accounts at several", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    const { identities } = subject.store
    const link = (from: string, name: string) =>
      identities.link({ issuer: from, subject: name, userId: ana.id, linkedAt: 5 })

    expect(await link(issuer, "1")).toBe(true)
    expect(await link(issuer, "2")).toBe(false)
    expect(await link("https://another.example.com", "2")).toBe(true)
    expect(await identities.find(issuer, "2")).toBeNull()
  })

  test("the account of somebody who has left is not linked", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    await subject.store.users.setActive(ana.id, 5)

    expect(await subject.store.identities.link({ issuer, subject: "1", userId: ana.id, linkedAt: 5 })).toBe(false)
    expect(await subject.store.identities.find(issuer, "1")).toBeNull()
  })

  test("unlinking removes every account of that user and of nobody else", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { identities, audit } = subject.store
    await identities.link({ issuer, subject: "1", userId: ana.id, linkedAt: 5 })
    await identities.link({ issuer: "https://another.example.com", subject: "1", userId: ana.id, linkedAt: 5 })
    await identities.link({ issuer, subject: "2", userId: bruno.id, linkedAt: 5 })

    expect(await identities.unlink(ana.id, { ...entry, action: "identity_unlinked" })).toBe(2)

    expect(await identities.find(issuer, "1")).toBeNull()
    expect(await identities.find(issuer, "2")).toBe(bruno.id)
    expect(await identities.unlink(ana.id, entry)).toBe(0)
    expect((await audit.list({ limit: 9 })).map(({ action }) => action)).toEqual(["identity_unlinked"])
  })

  test("an erasure deletes the linked accounts; before it the person can read them", async () => {
    await using subject = await open()
    const ana = await subject.store.users.create(person("Ana"))
    await subject.store.identities.link({ issuer, subject: "1", userId: ana.id, linkedAt: 5 })
    const rows = await personalRowsOf(subject.store, ana)
    expect(rows.identities).toEqual([{ issuer, subject: "1", linked_at: 5 }])

    await subject.store.users.setActive(ana.id, 6)
    const replacement = { username: "erased-1", name: "Gone", email: "e@erased.invalid", password: hashOf("none") }
    await subject.store.users.erase(ana.id, { at: 7, replacement, reasons: "none" }, entry)

    expect(await subject.store.identities.find(issuer, "1")).toBeNull()
  })

  test("a token can be spent once across all stores, until it is pruned", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const token = { tokenHash: "a".repeat(64), expiresAt: 100 }

    expect(await subject.store.users.spend(token)).toBe(true)
    expect(await other.users.spend(token)).toBe(false)
    expect(await subject.store.users.spend(token)).toBe(false)
    expect(await other.users.isSpent(token.tokenHash)).toBe(true)

    await subject.store.users.pruneSpent(100)
    expect(await other.users.isSpent(token.tokenHash)).toBe(false)
  })
}
