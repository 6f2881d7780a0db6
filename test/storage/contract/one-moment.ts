import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { NewOccasion } from "../../../src/domain/occasions/model.ts"
import type { User } from "../../../src/domain/people/model.ts"
import type { FollowedTransaction, Notification, Recognition } from "../../../src/domain/recognition/model.ts"
import { positionOf } from "../../../src/domain/recognition/positions.ts"
import type { NewReward } from "../../../src/domain/rewards/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, person, threePeople } from "./people.ts"
import type { OpenSubject, Subject } from "./subject.ts"

/** How often each writer thanks, celebrates and replies. */
const rounds = 60

/** Answers that several statements make up are of one moment, whatever is written meanwhile. */
export function oneMomentPromises(open: OpenSubject) {
  test("a follower of the feed sees every transfer and every occasion, however they alternate", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { recognitions } = await subject.reopen()
    const seen: FollowedTransaction[] = []

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      const some = await recognitions.after(positionOf(seen.at(-1)?.id ?? 0), 7)
      seen.push(...some)
      return some.length
    })

    expect(seen.map(({ id }) => id)).toEqual(await everyEntry(subject.store))
  })

  test("a page of the feed has no gap", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { recognitions } = await subject.reopen()
    const pages: (readonly Recognition[])[] = []

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      pages.push(await recognitions.newest({ participantIds: [], limit: 20 }))
    })

    const all = (await subject.store.recognitions.newest({ participantIds: [], limit: 9999 })).map(({ id }) => id)
    for (const page of pages) expect(page.map(({ id }) => id)).toEqual(startingWith(page[0]?.id, all, 20))
  })

  test("a page of the feed as of a place has all up to it, and nothing after it", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { recognitions } = await subject.reopen()
    const pages: { readonly through: number; readonly ids: readonly number[] }[] = []

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      const through = await recognitions.lastPosition()
      const page = await recognitions.newest({ participantIds: [ana.id], through, limit: 20 })
      pages.push({ through, ids: page.map(({ id }) => id) })
    })

    const all = (await subject.store.recognitions.newest({ participantIds: [ana.id], limit: 9999 })).map(({ id }) => id)
    for (const { through, ids } of pages)
      expect(ids).toEqual(all.filter((id) => positionOf(id) <= through).slice(0, 20))
  })

  test("a page of notifications has no gap, and counts exactly those up to its first", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { notifications } = await subject.reopen()
    const pages: { readonly items: readonly Notification[]; readonly unread: number; readonly seenThrough: number }[] =
      []

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      const page = await notifications.page(ana.id, { limit: 20, maxUnread: 9999 })
      pages.push(page)
      // As somebody who reads them does, now and then.
      if (pages.length % 5 === 0) await notifications.saveSeen(ana.id, page.items[0]?.id ?? 0)
    })

    const { items } = await subject.store.notifications.page(ana.id, { limit: 9999, maxUnread: 9999 })
    const all = items.map(({ id }) => id)
    expect(all.length).toBeGreaterThan(2 * rounds)
    for (const { items, unread, seenThrough } of pages) {
      const newest = items[0]?.id ?? 0
      expect(items.map(({ id }) => id)).toEqual(startingWith(newest, all, 20))
      expect(unread).toBe(all.filter((id) => id <= newest && id > seenThrough).length)
    }
  })

  test("the replies to a recognition are as many as are counted", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { responses } = await subject.reopen()

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      const { responses: counted, replies } = await responses.conversation(1, ana.id, 9999)
      expect(replies).toHaveLength(counted.replies)
    })
  })

  test("a page of the history has the balance that its transactions make", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { ledger } = await subject.reopen()

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      const { items, total, balance } = await ledger.pageWithBalance(ana.id, { page: 1, size: 9999 })
      expect(items).toHaveLength(total)
      expect(balance).toBe(
        items.reduce((sum, { receiverId, value }) => sum + (receiverId === ana.id ? value : -value), 0),
      )
    })
  })

  test("a page of the history by people has as many transactions as its total says", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { ledger } = await subject.reopen()

    await whileWriting(subject, { ana, bruno, admin }, async () => {
      for (const filter of [{}, { participantId: ana.id }])
        for (const field of ["user", "from_user"] as const) {
          const order = { field, descending: false }
          const { items, total } = await ledger.page({ ...filter, order, page: 1, size: 9999 })
          expect(items).toHaveLength(total)
        }
    })
  })

  test("a transaction is shown with the reversal that is shown beside it", async () => {
    await using subject = await open()
    const { ana, bruno, admin } = await house(subject)
    const { ledger } = await subject.reopen()
    const ids = Array.from({ length: 2 * rounds }, (_, index) => index + 1)

    const reversing = takenBack(subject.store, rounds, ana, bruno)
    await whileWriting(subject, { ana, bruno, admin }, async () => {
      const found = await ledger.entriesWith(ids)
      expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).toSorted((one, other) => other - one))
      const byId = new Map(found.map((entry) => [entry.id, entry]))
      for (const { reverses, value } of found)
        if (reverses !== null && byId.has(reverses)) expect(byId.get(reverses)?.reversed).toBe(value)
    })
    await reversing
  })

  test("rewards have the stock, the redemptions and the points of one moment", async () => {
    await using subject = await open()
    const { ana, admin } = await house(subject)
    const { rewards } = await subject.reopen()
    const reward = await subject.store.rewards.create(pen, creation)
    await subject.store.ledger.post({ ...thanks(admin, ana), value: 1000 }, allow)

    const redeeming = redeemed(subject.store, rounds, reward.id, ana, admin)
    for (let isOver = false; !isOver; ) {
      const { rewards: all, pockets, redeemed } = await rewards.catalogueOf(ana.id)
      const count = redeemed.get(reward.id) ?? 0
      expect({ stock: all[0]?.stock, balance: pockets.balance }).toEqual({
        stock: 1000 - count,
        balance: 1003 - 2 * count,
      })
      isOver = count === rounds
    }
    await redeeming
  })
}

const pen: NewReward = {
  ...{ name: "Pen", description: null, cost: 2, stock: 1000, limitPerPerson: null, isActive: true },
  ...{ moneyValue: null, isTaxable: false, emoji: null },
}
const creation: AuditEntry = {
  ...{ at: 0, action: "reward_created", who: "ana", whom: null, way: "http", address: null, count: 1, detail: null },
  ...{ before: null, after: null },
}

/** Transfers that are taken back at once, one after the other. */
async function takenBack({ ledger }: Store, times: number, sender: User, receiver: User): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { id } = await ledger.post(thanks(sender, receiver), allow)
    const back = { ...thanks(receiver, sender), kind: "reversal" as const, reverses: id }
    await ledger.post(back, allow)
  }
}

async function redeemed({ ledger }: Store, times: number, rewardId: number, user: User, receiver: User): Promise<void> {
  const note = { reason: "Pen", tags: [], isPrivate: false }
  for (let time = 0; time < times; time += 1)
    await ledger.redeem(
      { rewardId, userId: user.id, receiverId: receiver.id, comment: null, date: 1, note, jobs: () => [] },
      allow,
    )
}

interface House {
  readonly ana: User
  readonly bruno: User
  readonly admin: User
}

/** With a first recognition, from Bruno to Ana. */
async function house({ store }: Subject): Promise<House> {
  const { ana, bruno } = await threePeople(store)
  const admin = await store.users.create(person("admin", { dept: "management" }))
  await store.ledger.post(thanks(bruno, ana), allow)
  return { ana, bruno, admin }
}

const thanks = (sender: User, receiver: User) =>
  ({ kind: "transfer", senderId: sender.id, receiverId: receiver.id, value: 3, date: 1 }) as const

/** Ana celebrates; every second occasion has points. */
const occasion = ({ ana, admin }: House, year: number): NewOccasion => ({
  userId: ana.id,
  kind: "birthday",
  year,
  years: null,
  points: year % 2 === 0 ? 0 : 5,
  text: "Happy birthday, {name}!",
  senderId: admin.id,
  date: 1,
})

/** Calls `read` again and again while two stores write, and afterwards until it returns 0 or nothing. */
async function whileWriting(subject: Subject, people: House, read: () => Promise<unknown>) {
  const { ana, bruno } = people
  let isWriting = true
  const writers = [subject.store, await subject.reopen()].map(async ({ ledger, responses }, writer) => {
    for (let round = 0; round < rounds; round += 1) {
      const reply = { recognitionId: 1, authorId: bruno.id, text: "Yes!", date: 1, notifiedIds: [ana.id] }
      await Promise.all([
        ledger.post(thanks(bruno, ana), allow),
        ledger.celebrate(occasion(people, 2000 + 2 * round + writer)),
        ledger.post(thanks(ana, bruno), allow),
        responses.reply(reply),
      ])
    }
  })
  const written = Promise.all(writers).finally(() => {
    isWriting = false
  })
  try {
    for (;;) {
      const isLast = !isWriting
      const found = await read()
      if (isLast && !found) return
      await new Promise(setImmediate)
    }
  } finally {
    await written
  }
}

/** The ids of a page of this size that begins with `first`. */
const startingWith = (first: number | undefined, all: readonly number[], size: number) => {
  const at = all.indexOf(first ?? 0)
  return all.slice(at, at + size)
}

/** The ids of all entries that followers see, ascending. */
async function everyEntry({ recognitions }: Store): Promise<number[]> {
  return (await recognitions.after(0, 99_999)).map(({ id }) => id)
}
