import { expect, test } from "bun:test"
import { allow, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const nothing = { session: null, token: null }
const browser = (userId: number, name: string) => ({
  ...{ userId, endpoint: `https://push.example.com/${name}`, p256dh: "key", auth: "auth", name, createdAt: 5 },
})

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
    expect(await other.push.devicesOf(ana.id)).toHaveLength(1)
    expect(await other.push.keepKeys(late, first?.publicKey ?? null)).toEqual(late)
    expect(await other.push.devicesOf(ana.id)).toEqual([])
  })

  test("a device is stored, replaced by its endpoint whoever had it, and removed by its owner alone", async () => {
    await using subject = await open()
    const { push } = subject.store
    const { ana, bruno } = await threePeople(subject.store)

    const phone = await push.add(browser(ana.id, "phone"), 2, nothing)
    expect(phone).toEqual({ ...browser(ana.id, "phone"), id: phone.id, lastUsedAt: null })
    await push.add(browser(ana.id, "laptop"), 2, nothing)
    expect(await refusalOf(push.add(browser(ana.id, "tablet"), 2, nothing))).toMatchObject({ code: "too_many_devices" })
    const renewed = await push.add({ ...browser(ana.id, "phone"), name: "My phone", auth: "other" }, 2, nothing)
    expect(renewed).toEqual({ ...phone, name: "My phone", auth: "other" })
    await push.saveUse(phone.id, 7)
    expect(await push.device(phone.id)).toEqual({ ...renewed, lastUsedAt: 7 })

    expect(await push.remove(bruno.id, phone.id)).toBe(false)
    const moved = await push.add(browser(bruno.id, "phone"), 2, nothing)
    expect(await push.devicesOf(bruno.id)).toEqual([moved])
    expect((await push.devicesOf(ana.id)).map(({ name }) => name)).toEqual(["laptop"])
    expect(await push.remove(bruno.id, moved.id)).toBe(true)
    expect(await push.device(moved.id)).toBeNull()
  })

  test("a device is not added for a credential that has ended, and ends with all credentials of a person", async () => {
    await using subject = await open()
    const { push, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    for (const { id } of [ana, bruno]) await push.add(browser(id, `phone of ${id}`), 9, nothing)
    await users.endOthers(ana.id, nothing)
    expect(await push.devicesOf(ana.id)).toEqual([])
    const ended = { session: null, token: null, accessVersion: ana.accessVersion }
    expect(await refusalOf(push.add(browser(ana.id, "phone"), 9, ended))).toMatchObject({ code: "bad_credentials" })
    await users.setActive(bruno.id, 50)
    expect(await push.devicesOf(bruno.id)).toEqual([])
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
    const sent = { senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
    const { id } = await ledger.post({ ...sent, kind: "transfer" }, allow)
    await ledger.post({ ...sent, kind: "grant" }, allow)
    expect(await push.due(id - 1, id + 1)).toEqual(
      [one, two].map((device) => ({ transactionId: id, deviceId: device.id, userId: bruno.id })),
    )
    expect(await push.due(id, id + 1)).toEqual([])
  })
}
