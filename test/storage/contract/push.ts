import { expect, test } from "bun:test"
import { allow, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const nothing = { session: null, token: null }
const device = (userId: number, name: string) => ({
  ...{ userId, endpoint: `https://push.example.com/${name}`, p256dh: "key", auth: "auth", name, createdAt: 5 },
})
const browser = (userId: number, name: string, endsAt = 100) => ({ ...device(userId, name), endsAt })
const now = 6

export function pushPromises(open: OpenSubject) {
  test("of keys that several processes make at once, one pair stays; replaced ones end all devices", async () => {
    await using subject = await open()
    const { push } = subject.store
    const { ana } = await threePeople(subject.store)
    expect(await push.keys()).toBeNull()
    const made = ["a", "b", "c"].map((publicKey) => ({ publicKey, privateKey: `sealed ${publicKey}` }))

    const kept = await Promise.all(made.map((pair) => push.keepKeys(pair, null)))

    const [first] = kept
    for (const pair of kept) expect(pair).toEqual(first as never)
    await push.add(browser(ana.id, "phone"), 9, nothing)
    const other = await subject.reopen()
    expect(await other.push.keys()).toEqual(first as never)
    const late = { publicKey: "d", privateKey: "sealed d" }
    expect(await other.push.keepKeys(late, "never stored")).toEqual(first as never)
    expect(await other.push.devicesOf(ana.id, now)).toHaveLength(1)
    expect(await other.push.keepKeys(late, first?.publicKey ?? null)).toEqual(late)
    expect(await other.push.devicesOf(ana.id, now)).toEqual([])
  })

  test("a device is stored, replaced by its endpoint whoever had it, and removed by its owner alone", async () => {
    await using subject = await open()
    const { push } = subject.store
    const { ana, bruno } = await threePeople(subject.store)

    const phone = await push.add(browser(ana.id, "phone"), 2, nothing)
    expect(phone).toEqual({
      ...device(ana.id, "phone"),
      id: phone.id,
      lastUsedAt: null,
      silences: 0,
      silentSince: null,
    })
    await push.add(browser(ana.id, "laptop"), 2, nothing)
    expect(await refusalOf(push.add(browser(ana.id, "tablet"), 2, nothing))).toMatchObject({ code: "too_many_devices" })
    const renewed = await push.add({ ...browser(ana.id, "phone"), name: "My phone", auth: "other" }, 2, nothing)
    expect(renewed).toEqual({ ...phone, name: "My phone", auth: "other" })
    await push.saveUse(phone.id, 7)
    expect(await push.device(phone.id, now)).toEqual({ ...renewed, lastUsedAt: 7 })
    await push.saveSilence(phone.id, { silences: 3, silentSince: 9 })
    expect(await push.device(phone.id, now)).toEqual({ ...renewed, lastUsedAt: 7, silences: 3, silentSince: 9 })
    expect(await push.add(browser(ana.id, "phone"), 2, nothing)).toMatchObject({ silences: 0, silentSince: null })

    expect(await push.remove(bruno.id, phone.id)).toBe(false)
    const moved = await push.add(browser(bruno.id, "phone"), 2, nothing)
    expect(await push.devicesOf(bruno.id, now)).toEqual([moved])
    expect((await push.devicesOf(ana.id, now)).map(({ name }) => name)).toEqual(["laptop"])
    expect(await push.remove(bruno.id, moved.id)).toBe(true)
    expect(await push.device(moved.id, now)).toBeNull()
  })

  test("a device is not added for a credential that has ended, and ends with all credentials of a person", async () => {
    await using subject = await open()
    const { push, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    for (const { id } of [ana, bruno]) await push.add(browser(id, `phone of ${id}`), 9, nothing)
    await users.endOthers(ana.id, nothing)
    expect(await push.devicesOf(ana.id, now)).toEqual([])
    const ended = { session: null, token: null, accessVersion: ana.accessVersion }
    expect(await refusalOf(push.add(browser(ana.id, "phone"), 9, ended))).toMatchObject({ code: "bad_credentials" })
    await users.setActive(bruno.id, 50)
    expect(await push.devicesOf(bruno.id, now)).toEqual([])
  })

  test("a device belongs to the session that asked, and ends in the commit that ends it, however that happens", async () => {
    await using subject = await open()
    const { push, sessions, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const names = async () => (await push.devicesOf(ana.id, now)).map(({ name }) => name)
    const logIn = (idHash: string, replaces: string | null = null, username = "ana") =>
      sessions.open({ idHash, username, expiresAt: 90, openedAt: 5, address: null }, replaces)
    const subscribe = (session: string | null, name: string, endsAt?: number) =>
      push.add(browser(ana.id, name, endsAt), 9, { session, token: null })
    for (const session of ["one", "two", "kept"]) {
      await logIn(session)
      await subscribe(session, session)
    }
    await subscribe(null, "by a token")

    await sessions.end("one")
    expect(await names()).toEqual(["two", "kept", "by a token"])
    expect(await users.endOthers(ana.id, { session: "kept", token: null })).toBe(1)
    expect(await names()).toEqual(["kept"])
    expect(await refusalOf(subscribe("two", "late"))).toMatchObject({ code: "bad_credentials" })

    await logIn("again", "kept")
    expect(await names()).toEqual(["kept"])
    await logIn("of bruno", "again", "bruno")
    expect(await names()).toEqual([])
    expect(await push.devicesOf(bruno.id, now)).toEqual([])

    await logIn("expires")
    await subscribe("expires", "expires", 90)
    await subscribe(null, "token expires", 80)
    expect((await push.devicesOf(ana.id, 79)).map(({ name }) => name)).toEqual(["expires", "token expires"])
    expect((await push.devicesOf(ana.id, 80)).map(({ name }) => name)).toEqual(["expires"])
    await push.prune(80)
    expect((await push.devicesOf(ana.id, 79)).map(({ name }) => name)).toEqual(["expires"])
    await sessions.prune(90)
    expect(await names()).toEqual([])
  })

  test("of ten devices those that have ended do not count, and one that is known moves to the session that asks last", async () => {
    await using subject = await open()
    const { push, sessions } = subject.store
    const { ana } = await threePeople(subject.store)
    for (const idHash of ["one", "two"])
      await sessions.open({ idHash, username: "ana", expiresAt: 90, openedAt: 5, address: null }, null)
    const add = (name: string, session: string | null, endsAt?: number) =>
      push.add(browser(ana.id, name, endsAt), 1, { session, token: null })
    await add("ended", null, 4)
    await add("phone", "one")
    expect(await refusalOf(add("tablet", "one"))).toMatchObject({ code: "too_many_devices" })
    await add("phone", "two")
    await sessions.end("one")
    expect(await push.devicesOf(ana.id, now)).toHaveLength(1)
    await sessions.end("two")
    expect(await push.devicesOf(ana.id, now)).toEqual([])
  })

  test("a recognition is due for each device of its receiver; a grant for none", async () => {
    await using subject = await open()
    const { push, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const [one, two] = [
      await push.add(browser(bruno.id, "1"), 9, nothing),
      await push.add(browser(bruno.id, "2"), 9, nothing),
    ]
    await push.add(browser(ana.id, "3"), 9, nothing)
    await push.add(browser(bruno.id, "ended", now), 9, nothing)
    const sent = { senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
    const { id } = await ledger.post({ ...sent, kind: "transfer" }, allow)
    await ledger.post({ ...sent, kind: "grant" }, allow)
    expect(await push.due(id - 1, id + 1, now)).toEqual(
      [one, two].map((device) => ({ transactionId: id, deviceId: device.id, userId: bruno.id })),
    )
    expect(await push.due(id, id + 1, now)).toEqual([])
  })
}
