import { expect, test } from "bun:test"
import type { CelebratedDay, NewOccasion, OccasionPosition } from "../../../src/domain/occasions/model.ts"
import type { OccasionQuery } from "../../../src/domain/occasions/ports.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { occasionKinds } from "../../../src/domain/programme/model.ts"
import { positionOf } from "../../../src/domain/recognition/positions.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, person, personalRowsOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** An occasion with points, unless `change` says otherwise. */
const occasionOf = (user: User, admin: User, change: Partial<NewOccasion> = {}): NewOccasion => ({
  userId: user.id,
  kind: "birthday",
  year: 2026,
  years: null,
  points: 50,
  text: "Happy birthday, {name}!",
  senderId: admin.id,
  date: 1000,
  ...change,
})

async function house(store: Store) {
  return { ...(await threePeople(store)), admin: await store.users.create(person("admin", { dept: "management" })) }
}

/** What the feed says, newest first, page by page. */
async function pagesOf({ recognitions }: Store, size: number) {
  const said: (string | undefined)[][] = []
  for (let before: number | undefined; ; ) {
    const page = await recognitions.newest({ participantIds: [], before, limit: size })
    if (page.length === 0) return said
    said.push(page.map(({ note }) => note?.reason))
    before = page.at(-1)?.id
  }
}

export function occasionPromises(open: OpenSubject) {
  test("an occasion with points is an entry of the feed and a transaction of earned points", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, admin } = await house(store)

    expect(
      await store.ledger.celebrate(occasionOf(ana, admin, { kind: "anniversary", years: 3, text: "{years}, {name}" })),
    ).toBe(true)

    for (const { users, ledger, recognitions } of [store, await subject.reopen()]) {
      expect(await users.pocketsOf(ana.id)).toEqual({ balance: 50, earned: 50 })
      expect(await users.balanceOf(admin.id)).toBe(-50)
      expect(await ledger.entry(1)).toMatchObject({
        kind: "occasion",
        senderId: admin.id,
        receiverId: ana.id,
        value: 50,
      })
      const [entry] = await recognitions.newest({ participantIds: [], limit: 9 })
      expect(entry).toMatchObject({
        occasion: { kind: "anniversary", years: 3 },
        value: 50,
        date: 1000,
        receivers: [{ username: "ana", userId: ana.id, transactionId: 1, reversed: 0 }],
        note: { reason: "3, Ana", tags: [], isPrivate: false },
      })
      expect(entry?.id).toBeLessThan(0)
      for (const id of [entry?.id ?? 0, 1]) expect(await recognitions.find(id)).toEqual(entry ?? null)
      expect(await recognitions.find(-1)).toBeNull()
    }
  })

  test("without points, it is an entry without a transaction", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, admin } = await house(store)

    expect(await store.ledger.celebrate(occasionOf(ana, admin, { points: 0 }))).toBe(true)

    expect(await store.ledger.lastId()).toBe(0)
    expect(await store.recognitions.newest({ participantIds: [], limit: 9 })).toMatchObject([
      { value: 0, occasion: { kind: "birthday", years: null }, receiver: { username: "ana" } },
    ])
  })

  test("each occasion of a person is celebrated once a year, also by several processes at once, and not of those who left", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno, carla, admin } = await house(subject.store)
    await subject.store.users.setActive(carla.id, 1)
    const everything = [ana, bruno, carla].flatMap((user) =>
      [0, 7].flatMap((points) => [
        occasionOf(user, admin, { points }),
        occasionOf(user, admin, { points, kind: "first_day" }),
        occasionOf(user, admin, { points, year: 2027 }),
      ]),
    )

    const made = await Promise.all(everything.flatMap((one) => stores.map(({ ledger }) => ledger.celebrate(one))))

    expect(made.filter((isMade) => isMade)).toHaveLength(6)
    expect(await subject.store.recognitions.newest({ participantIds: [], limit: 99 })).toHaveLength(6)
  })

  test("points are reduced where a balance would become too large", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno, admin } = await house(store)
    const rich = Number.MAX_SAFE_INTEGER - 3
    await store.ledger.post({ kind: "grant", senderId: bruno.id, receiverId: ana.id, value: rich, date: 1 }, allow)

    expect(await store.ledger.celebrate(occasionOf(ana, admin))).toBe(true)
    expect(await store.ledger.celebrate(occasionOf(ana, admin, { year: 2027 }))).toBe(true)

    expect(await store.users.balanceOf(ana.id)).toBe(Number.MAX_SAFE_INTEGER)
    expect(await store.ledger.lastId()).toBe(2)
  })

  test("occasions have their places among the transactions, in pages of any size and for followers", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno, carla, admin } = await house(store)
    const thank = (reason: string) =>
      store.ledger.post(
        { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1, note: noteOf(reason) },
        allow,
      )
    await store.ledger.celebrate(occasionOf(ana, admin, { points: 0, text: "a" }))
    await thank("b")
    await store.ledger.celebrate(occasionOf(bruno, admin, { text: "c" }))
    await store.ledger.celebrate(occasionOf(carla, admin, { points: 0, text: "d" }))
    await thank("e")
    await store.ledger.celebrate(occasionOf(carla, admin, { kind: "first_day", text: "f" }))

    for (const size of [1, 2, 3, 9]) expect((await pagesOf(store, size)).flat()).toEqual(["f", "e", "d", "c", "b", "a"])
    const said: (string | undefined)[] = []
    for (let position = 0; position < (await store.recognitions.lastPosition()); ) {
      const some = await store.recognitions.after(position, 2)
      said.push(...some.filter(({ kind, id }) => id < 0 || kind === "transfer").map(({ note }) => note?.reason))
      position = positionOf(some.at(-1)?.id ?? 0)
    }
    expect(said).toEqual(["a", "b", "c", "d", "e", "f"])
    const of = (query: object) => store.recognitions.newest({ participantIds: [], limit: 9, ...query })
    const reasonsOf = async (query: object) => (await of(query)).map(({ note }) => note?.reason)
    expect(await reasonsOf({ participantIds: [carla.id] })).toEqual(["f", "d"])
    expect(await reasonsOf({ participantIds: [admin.id] })).toEqual([])
    expect(await reasonsOf({ participantIds: [ana.id, bruno.id] })).toEqual(["e", "b"])
    expect(await reasonsOf({ dept: "management" })).toEqual([])
    expect(
      await reasonsOf({ noteMatches: ({ note }: { note: { reason: string } }) => /[cdf]/.test(note.reason) }),
    ).toEqual(["f", "d", "c"])
  })

  test("people react and reply to an occasion and add points to it; the person alone is notified of it", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno, admin } = await house(store)
    await store.ledger.celebrate(occasionOf(ana, admin, { points: 0 }))
    const [occasion] = await store.recognitions.newest({ participantIds: [], limit: 1 })
    const id = occasion?.id ?? 0

    expect(await store.responses.react(id, bruno.id, "🎉", 20)).toBe(true)
    const reply = { recognitionId: id, authorId: bruno.id, text: "All the best", date: 2000, notifiedIds: [ana.id] }
    const { id: replyId } = await store.responses.reply(reply)
    await store.ledger.addPoints(
      [{ kind: "transfer", senderId: bruno.id, receiverId: ana.id, value: 5, date: 3000, addsTo: id }],
      [id],
      allow,
    )

    expect((await store.responses.to([id], bruno.id)).get(id)).toMatchObject({
      reactions: [{ emoji: "🎉", count: 1, isOwn: true }],
      replies: 1,
    })
    for (const found of [id, 1])
      expect(await store.recognitions.find(found)).toMatchObject({ id, added: { value: 5, by: [bruno.id] } })
    const [, added] = await store.recognitions.after(0, 9)
    expect(added).toMatchObject({ id: 1, adjusts: { id, added: { value: 5 } } })
    const { items: notified } = await store.notifications.page(ana.id, { limit: 9, maxUnread: 9 })
    expect(
      notified.map(({ id, recognition, addition, reply }) => [id, recognition.id, addition?.value, reply?.id]),
    ).toEqual([
      [positionOf(1), id, 5, undefined],
      [replyId, id, undefined, replyId],
      [-id, id, undefined, undefined],
    ])
    expect(await store.notifications.unread(ana.id, 9)).toBe(3)
    await store.notifications.saveSeen(ana.id, -id)
    expect(await store.notifications.unread(ana.id, 9)).toBe(2)
    expect(await store.notifications.unread(admin.id, 9)).toBe(0)
    // The next one comes after the reply.
    await store.ledger.celebrate(occasionOf(ana, admin, { points: 0, year: 2027 }))
    const { items } = await store.notifications.page(ana.id, { limit: 1, maxUnread: 9 })
    expect(items[0]?.id).toBeGreaterThan(replyId)
  })

  test("on a day are the birthdays of those who agreed, and the first days and anniversaries of those who did not decline", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno, carla } = await house(store)
    const dora = await store.users.create(person("Dora"))
    const celebrates = (user: User, answer: boolean) => store.users.updateProfile(user.id, { celebrates: answer })
    await store.users.correct(ana.id, { birthday: "02-29", joined: "2020-02-29" })
    await celebrates(ana, true)
    await store.users.correct(bruno.id, { birthday: "02-28", joined: "2027-02-28" })
    await store.users.correct(carla.id, { birthday: "02-28", joined: "2020-02-28" })
    await celebrates(carla, false)
    await store.users.correct(dora.id, { birthday: "02-28", joined: "2021-02-28" })
    await celebrates(dora, true)
    const listed = async (days: readonly CelebratedDay[], more: Partial<OccasionQuery> = {}) =>
      (await store.occasions.on({ days, kinds: occasionKinds, limit: 9, ...more })).map(
        ({ date, username, kind }) => `${date} ${username} ${kind}`,
      )
    const day = (date: string, dayOfYear = date.slice(5)) => ({ date, dayOfYear, year: Number(date.slice(0, 4)) })

    expect(await store.occasions.on({ days: [day("2027-02-28")], kinds: ["birthday"], limit: 9 })).toEqual([
      {
        ...{ date: "2027-02-28", year: 2027, kind: "birthday", userId: dora.id, joined: "2021-02-28" },
        ...{ username: "dora", name: "Dora", avatar: null, dept: "sales" },
      },
    ])
    const leap = [day("2027-02-28"), day("2027-02-28", "02-29")]
    const all = [
      "2027-02-28 ana birthday",
      "2027-02-28 ana anniversary",
      "2027-02-28 bruno first_day",
      "2027-02-28 dora birthday",
      "2027-02-28 dora anniversary",
    ]
    expect(await listed(leap)).toEqual(all)
    expect(await listed(leap, { kinds: ["first_day"] })).toEqual(["2027-02-28 bruno first_day"])
    expect(await listed(leap, { kinds: ["anniversary"] })).toEqual([all[1] ?? "", all[4] ?? ""])
    expect(await listed(leap, { kinds: ["birthday", "anniversary"] })).toEqual(
      all.filter((text) => !/first_day/.test(text)),
    )
    expect(await listed(leap, { userId: dora.id })).toEqual(all.slice(3))
    expect(await listed([day("2026-02-28"), day("2028-02-28")])).toEqual([
      "2026-02-28 dora birthday",
      "2026-02-28 dora anniversary",
      "2028-02-28 bruno anniversary",
      "2028-02-28 dora birthday",
      "2028-02-28 dora anniversary",
    ])
    expect(await listed([day("2021-02-27"), day("2028-02-29")])).toEqual([
      "2028-02-29 ana birthday",
      "2028-02-29 ana anniversary",
    ])

    for (const limit of [1, 2, 3]) {
      const paged: string[] = []
      for (let after: OccasionPosition | undefined; ; ) {
        const page = await store.occasions.on({ days: leap, kinds: occasionKinds, after, limit })
        if (page.length === 0) break
        paged.push(...page.map(({ date, username, kind }) => `${date} ${username} ${kind}`))
        after = page.at(-1)
      }
      expect(paged).toEqual(all)
    }

    const admin = await store.users.byUsername("admin")
    await store.users.correct(admin?.id ?? 0, { joined: "2020-02-28" })
    await store.users.setActive(ana.id, 1)
    expect(await listed(leap)).toEqual(all.slice(2))
    if (admin) await store.ledger.celebrate(occasionOf(dora, admin, { year: 2027 }))
    expect(await listed(leap, { isOpen: true })).toEqual([all[2] ?? "", all[4] ?? ""])
    expect(await listed([day("2028-02-28")], { isOpen: true })).toHaveLength(3)
  })

  test("an event is recorded with the occasion, after the event of its points", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, admin } = await house(store)
    const before = await store.events.lastId()
    await store.ledger.celebrate(occasionOf(ana, admin))

    const [entry] = await store.recognitions.newest({ participantIds: [], limit: 1 })
    expect(await store.events.after(before, 9)).toMatchObject([
      { type: "transaction", subject: 1 },
      { type: "occasion.celebrated", subject: -(entry?.id ?? 0) },
    ])
  })

  test("after an erasure, the entry names the placeholder", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, admin } = await house(store)
    await store.ledger.celebrate(occasionOf(ana, admin))
    expect(await personalRowsOf(store, ana)).toMatchObject({ occasions: [{ kind: "birthday", year: 2026 }] })
    await store.users.setActive(ana.id, 1)
    const replacement = {
      username: "erased-1",
      name: "Former colleague",
      email: "erased-1@x.invalid",
      password: ana.password,
    }
    await store.users.erase(
      ana.id,
      { at: 2, replacement, reasons: "all" },
      {
        at: 2,
        action: "user_erased",
        who: null,
        whom: null,
        way: "server",
        address: null,
        count: 1,
        detail: null,
        before: null,
        after: null,
      },
    )

    expect(await store.recognitions.newest({ participantIds: [], limit: 1 })).toMatchObject([
      { note: { reason: "Happy birthday, Former colleague!" } },
    ])
  })
}

const noteOf = (reason: string) => ({ reason, tags: [], isPrivate: false })
