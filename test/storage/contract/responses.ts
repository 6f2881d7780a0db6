import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import type { NewReply } from "../../../src/domain/recognition/model.ts"
import { notificationIdOf } from "../../../src/domain/recognition/positions.ts"
import { allow, person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const transfer = (senderId: number, receiverId: number): NewTransaction => ({
  kind: "transfer",
  senderId,
  receiverId,
  value: 1,
  date: 1000,
})

/** Stores Ana (1), Bruno (2) and Carla (3), and two recognitions: 1 from Ana to Bruno, 2 from Bruno to Carla. */
async function opened(open: OpenSubject) {
  const subject = await open()
  const { store } = subject
  const people = await threePeople(store)
  await store.ledger.post(transfer(1, 2), allow)
  await store.ledger.post(transfer(2, 3), allow)
  return { ...subject, ...people, [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose]() }
}

/** A reply of Carla to the recognition from Ana to Bruno. */
const reply = (change: Partial<NewReply> = {}): NewReply => ({
  recognitionId: 1,
  authorId: 3,
  text: "Well done",
  date: 2000,
  notifiedIds: [1, 2],
  ...change,
})

const hiding = (isHidden: boolean) =>
  auditEntry({ who: "admin", way: "http", address: null }, 1, isHidden ? "reply_hidden" : "reply_shown")

export function responsePromises(open: OpenSubject) {
  test("reactions are counted by emoji, once for each person, and the viewer's own are marked", async () => {
    await using subject = await opened(open)
    const { responses } = subject.store
    for (const [userId, emoji] of [
      [1, "👏"],
      [2, "👏"],
      [2, "👏"],
      [2, "🎉"],
    ] as const)
      await responses.react(1, userId, emoji, 20)

    const seenBy = async (viewerId: number) => {
      const found = await responses.to([1, 2], viewerId)
      expect([...found.keys()]).toEqual([1])
      return (found.get(1)?.reactions ?? []).toSorted((one, other) => (one.emoji < other.emoji ? 1 : -1))
    }
    expect(await seenBy(1)).toEqual([
      { emoji: "👏", count: 2, isOwn: true },
      { emoji: "🎉", count: 1, isOwn: false },
    ])
    await responses.takeBackReaction(1, 2, "👏")
    await responses.takeBackReaction(1, 3, "👏")
    expect(await seenBy(2)).toEqual([
      { emoji: "👏", count: 1, isOwn: false },
      { emoji: "🎉", count: 1, isOwn: true },
    ])
    expect(await responses.to([], 1)).toEqual(new Map())
  })

  test("a recognition has at most so many kinds of reactions, also when several are new at the same time", async () => {
    await using subject = await opened(open)
    const { responses } = subject.store
    expect(await responses.react(1, 2, "👏", 2)).toBe(true)
    const added = await Promise.all(["🎉", "🙏", "😄"].map((emoji) => responses.react(1, 1, emoji, 2)))
    expect(added.filter(Boolean)).toEqual([true])
    expect(await responses.react(1, 3, "👏", 2)).toBe(true)
    expect(await responses.react(2, 1, "🍕", 2)).toBe(true)

    const kinds = async () =>
      (await responses.to([1], 1))
        .get(1)
        ?.reactions.map(({ count }) => count)
        .toSorted()
    expect(await kinds()).toEqual([1, 2])
    await responses.takeBackReaction(1, 2, "👏")
    expect(await responses.react(1, 1, "🍕", 2)).toBe(false)
    await responses.takeBackReaction(1, 3, "👏")
    expect(await responses.react(1, 1, "🍕", 2)).toBe(true)
  })

  test("replies are listed as written, with authors; beyond the limit only the newest", async () => {
    await using subject = await opened(open)
    const { responses, users } = subject.store
    const first = await responses.reply(reply())
    const second = await responses.reply(reply({ authorId: 1, text: "Thank you", date: 1999 }))
    await responses.reply(reply({ recognitionId: 2 }))
    await users.updateProfile(3, { avatar: "https://example.com/c.png", bio: null })

    const carla = { username: "carla", name: "Carla", avatar: "https://example.com/c.png" }
    expect((await responses.conversation(1, 1, 10)).replies).toEqual([
      {
        id: first.id,
        recognitionId: 1,
        authorId: 3,
        author: carla,
        text: "Well done",
        date: 2000,
        isHidden: false,
      },
      {
        id: second.id,
        recognitionId: 1,
        authorId: 1,
        author: { username: "ana", name: "Ana", avatar: null },
        text: "Thank you",
        date: 1999,
        isHidden: false,
      },
    ])
    expect((await responses.conversation(1, 1, 1)).replies.map(({ id }) => id)).toEqual([second.id])
    expect(await responses.findReply(second.id)).toEqual(second)
    expect(await responses.findReply(second.id + 5)).toBeNull()
    expect((await responses.to([1, 2], 1)).get(1)).toEqual({ reactions: [], replies: 2 })
  })

  test("a deleted reply is gone and its id is not reused; a hidden one is listed, marked and not counted", async () => {
    await using subject = await opened(open)
    const { responses, audit } = subject.store
    const hidden = await responses.reply(reply())
    const deleted = await responses.reply(reply())

    await responses.deleteReply(deleted.id)
    await responses.hideReply(hidden.id, true, hiding(true))

    expect(await responses.findReply(deleted.id)).toBeNull()
    expect((await responses.conversation(1, 1, 10)).replies).toEqual([{ ...hidden, isHidden: true }])
    expect(await responses.to([1], 1)).toEqual(new Map())
    expect((await responses.reply(reply())).id).toBeGreaterThan(deleted.id)
    await responses.hideReply(hidden.id, false, hiding(false))
    expect((await responses.to([1], 1)).get(1)?.replies).toBe(2)
    expect((await audit.list({ limit: 5 })).map(({ action }) => action)).toEqual(["reply_hidden", "reply_shown"])
  })

  test("notifications of recognitions and replies are ordered by commit", async () => {
    await using subject = await opened(open)
    const { ledger, responses, notifications } = subject.store
    const first = await responses.reply(reply())
    const second = await responses.reply(reply({ authorId: 1, notifiedIds: [2] }))
    await ledger.post(transfer(3, 2), allow)
    await ledger.post({ ...transfer(1, 2), kind: "grant" }, allow)
    await ledger.post(transfer(2, 2), allow)
    const third = await responses.reply(reply({ recognitionId: 3, notifiedIds: [2] }))
    await responses.hideReply((await responses.reply(reply())).id, true, hiding(true))
    await responses.deleteReply((await responses.reply(reply())).id)

    const { items } = await notifications.page(2, { limit: 10, maxUnread: 9 })
    const [newest, ...older] = items
    expect(newest).toMatchObject({ id: third.id, recognition: { id: 3, sender: { name: "Carla" } }, reply: third })
    expect(older.map(({ id, recognition, reply }) => [id, recognition.id, reply?.id ?? null])).toEqual([
      [notificationIdOf(3), 3, null],
      [second.id, 1, second.id],
      [first.id, 1, first.id],
      [notificationIdOf(1), 1, null],
    ])
    const idsOf = async (userId: number, before?: number) =>
      (await notifications.page(userId, { before, limit: 2, maxUnread: 9 })).items.map(({ id }) => id)
    expect(await idsOf(2, notificationIdOf(3))).toEqual([second.id, first.id])
    expect(await idsOf(2, first.id)).toEqual([notificationIdOf(1)])
    expect(await idsOf(2, notificationIdOf(1))).toEqual([])
    expect(await idsOf(1)).toEqual([first.id])
    expect(await idsOf(3)).toEqual([notificationIdOf(2)])
  })

  test("a notification that a user has seen never becomes unread again", async () => {
    await using subject = await opened(open)
    const { ledger, responses, notifications } = subject.store
    const first = await responses.reply(reply())
    const second = await responses.reply(reply())
    await ledger.post(transfer(3, 2), allow)
    const unread = () => notifications.unread(2, 100)

    expect((await notifications.page(2, { limit: 1, maxUnread: 9 })).seenThrough).toBe(0)
    expect(await unread()).toBe(4)
    expect(await notifications.unread(2, 3)).toBe(3)
    await notifications.saveSeen(2, first.id)
    expect(await unread()).toBe(2)
    await notifications.saveSeen(2, second.id)
    expect(await unread()).toBe(1)
    await notifications.saveSeen(2, first.id)
    expect((await notifications.page(2, { limit: 1, maxUnread: 9 })).seenThrough).toBe(second.id)
    expect(await unread()).toBe(1)
    await notifications.saveSeen(2, notificationIdOf(3))
    expect(await unread()).toBe(0)
    await responses.reply(reply({ recognitionId: 3, notifiedIds: [2] }))
    expect(await unread()).toBe(1)
    expect(await notifications.unread(1, 100)).toBe(2)
  })

  test("each of simultaneous replies and transfers from two stores notifies once, with a different id", async () => {
    await using subject = await opened(open)
    const other = await subject.reopen()
    await subject.store.users.create(person("Davi"))
    const stores = [subject.store, other]
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const { ledger, responses } = stores[index % 2] ?? other
        return index % 3 === 0 ? ledger.post(transfer(4, 2), allow) : responses.reply(reply({ notifiedIds: [2] }))
      }),
    )

    const ids = (await other.notifications.page(2, { limit: 100, maxUnread: 100 })).items.map(({ id }) => id)
    expect(ids).toHaveLength(25)
    expect(new Set(ids).size).toBe(25)
    expect(ids).toEqual(ids.toSorted((one, another) => another - one))
    expect(await other.notifications.unread(2, 100)).toBe(25)
  })
}
