import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Calendar, createCalendar, type DayRange, dayMs, dayText, utcDayOf } from "../../../src/domain/calendar.ts"
import type { NewTransaction, Note } from "../../../src/domain/ledger/model.ts"
import type { RecapFigures, ReceivedFigures } from "../../../src/domain/recognition/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, hashOf, person, threePeople } from "./people.ts"
import { leftOf, type Planned, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

const tags = ["teamwork", "customer", "courage"]
const notes: fc.Arbitrary<Note | undefined> = fc.option(
  fc.subarray(tags).map((some) => ({ reason: "thanks", tags: some, isPrivate: false })),
  { nil: undefined },
)

export function insightPromises(open: OpenSubject) {
  test("insights match the recognitions, whichever store appended them, with the months and days of every time zone", async () => {
    await using subject = await open()
    const zones = ["UTC", "America/New_York", "Pacific/Auckland"]
    const stores = await Promise.all(zones.map((zone) => subject.reopen(zone)))
    const { users } = subject.store
    await threePeople(subject.store)
    for (const name of ["Dora", "Emil"]) await users.create(person(name, { dept: "support" }))
    const everybody = [1, 2, 3, 4, 5]
    const erased = new Set<number>()
    const posted: NewTransaction[] = []

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(plannedAmong(fc.constantFrom(...everybody)), notes, fc.nat(dayMs)), { maxLength: 6 }),
        fc.nat(2),
        fc.nat(40),
        fc.nat(100),
        fc.nat(100),
        fc.integer({ min: -40, max: 5 }),
        async (added, writer, daysLater, back, length, leaver) => {
          const day = utcDayOf(posted.at(-1)?.date ?? 0) + daysLater
          for (const [one, note, time] of added) await post(stores[writer], one, note, day * dayMs + time)
          if (leaver >= 4) await erase(leaver)
          const days = { first: Math.max(0, day - back), last: Math.max(0, day - back) + length }

          const depts = new Map((await users.byIds(everybody)).map(({ id, dept }) => [id, dept]))
          for (const [index, { insights }] of stores.entries()) {
            const calendar = createCalendar(zones[index] ?? "")
            const model = modelOf(posted, days, (id) => depts.get(id) ?? "", calendar)
            expect(await insights.participation(days)).toEqual(model.participation)
            expect(inOrder(await insights.departments(days))).toEqual(inOrder(model.departments))
            expect(inOrder(await insights.tags(days))).toEqual(inOrder(model.tags))
            const people = await insights.people(days)
            expect(people.map(({ id, sent, lastReceived }) => ({ id, sent, lastReceived }))).toEqual(
              everybody.filter((id) => !erased.has(id)).map((id) => ({ id, ...model.person(id) })),
            )
            const some = [3, 1]
            expect(await insights.ofPeople(some, days)).toEqual(some.map(model.ofPerson))
            const since = calendar.startOf(days.first)
            expect(sortedTags(await insights.received(1, since))).toEqual(sortedTags(model.received(1)))
            for (const by of ["received", "sent"] as const)
              expect(await insights.peopleWith(1, by, { since, throughId: posted.length - 2 })).toBe(
                model.peopleWith(1, by, posted.length - 2),
              )
            for (const userId of [1, null])
              expect(sorted(await insights.recap(userId, days))).toEqual(sorted(model.recap(userId)))
          }
        },
      ),
      { numRuns: 40 },
    )

    async function post(store: Store | undefined, one: Planned, note: Note | undefined, time: number) {
      const transaction = planned(one, posted)
      if (transaction === null || erased.has(transaction.senderId) || erased.has(transaction.receiverId)) return
      const date = Math.max(time, posted.at(-1)?.date ?? 0)
      const dated = { ...transaction, date, ...(transaction.kind === "transfer" && { note }) }
      await store?.ledger.post(dated, allow)
      posted.push(dated)
    }

    /** With the words that this person wrote. */
    async function erase(id: number) {
      if (erased.has(id)) return
      erased.add(id)
      await users.setActive(id, 1)
      const [email, password] = [`${id}@erased.invalid`, hashOf("none")]
      const replacement = { username: `erased-${id}`, name: "Former", email, password }
      const audit = { action: "user_erased", who: null, whom: null, way: "http", detail: null } as const
      await users.erase(
        id,
        { at: 1, replacement, reasons: "written" },
        { ...audit, at: 1, address: null, count: 1, before: null, after: null },
      )
      for (const [index, one] of posted.entries()) if (one.senderId === id) posted[index] = { ...one, note: undefined }
    }
  }, 120_000)

  test("the people in insights are the active ones, with their balances and their public names and avatars", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)
    const { ledger, users, insights } = subject.store
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 7, date: 3 * dayMs }, allow)
    await users.setActive(carla.id, 9)

    const summary = ({ id, username, name, dept, avatar }: typeof ana) => ({ id, username, name, dept, avatar })
    expect(await insights.people({ first: 0, last: 3 })).toEqual([
      { ...summary(ana), balance: -7, earned: 0, sent: 7, lastReceived: null },
      { ...summary(bruno), balance: 7, earned: 7, sent: 0, lastReceived: 3 },
    ])
    expect(await insights.people({ first: 4, last: 9 })).toMatchObject([{ sent: 0 }, { lastReceived: 3 }])
  })

  test("sums stop at the largest exact integer", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const value = Number.MAX_SAFE_INTEGER
    for (const [sender, receiver] of [
      [ana, bruno],
      [bruno, ana],
      [ana, bruno],
    ] as const)
      await subject.store.ledger.post(
        { kind: "transfer", senderId: sender.id, receiverId: receiver.id, value, date: 5 },
        allow,
      )
    const days = { first: 0, last: 0 }
    expect(await subject.store.insights.participation(days)).toMatchObject([{ count: 3, value }])
    expect(await subject.store.insights.departments(days)).toMatchObject([{ count: 3, value }])
    expect(await subject.store.insights.people(days)).toMatchObject([{ sent: value }, { sent: value }, { sent: 0 }])
  })

  test("an empty ledger has no insights", async () => {
    await using subject = await open()
    const { insights } = subject.store
    const days = { first: 0, last: 400 }
    expect([await insights.participation(days), await insights.departments(days), await insights.tags(days)]).toEqual([
      [],
      [],
      [],
    ])
  })
}

/** Computes the same in the simplest way. */
function modelOf(
  posted: readonly NewTransaction[],
  { first, last }: DayRange,
  deptOf: (id: number) => string,
  { dayOf }: Calendar,
) {
  const ever = leftOf(posted.map((one, index) => ({ ...one, id: index + 1 })))
  const within = ever.filter(({ date }) => dayOf(date) >= first && dayOf(date) <= last)
  const since = ever.filter(({ date }) => dayOf(date) >= first)
  const monthOf = ({ date }: NewTransaction) => dayText(dayOf(date)).slice(0, 7)
  return {
    participation: [...Map.groupBy(within, monthOf)].map(([month, some]) => ({
      month,
      senders: new Set(some.map(({ senderId }) => senderId)).size,
      receivers: new Set(some.map(({ receiverId }) => receiverId)).size,
      ...sumOf(some),
    })),
    departments: [
      ...Map.groupBy(within, ({ senderId, receiverId }) => `${deptOf(senderId)}>${deptOf(receiverId)}`),
    ].map(([pair, some]) => {
      const [from = "", to = ""] = pair.split(">")
      return { from, to, ...sumOf(some) }
    }),
    tags: tags.flatMap((tag) =>
      [
        ...Map.groupBy(
          within.filter(({ note }) => note?.tags.includes(tag)),
          monthOf,
        ),
      ].map(([month, some]) => ({ month, tag, ...sumOf(some) })),
    ),
    received(userId: number): ReceivedFigures {
      const all = since.filter(({ receiverId }) => receiverId === userId)
      return {
        people: new Set(all.map(({ senderId }) => senderId)).size,
        tags: tags
          .map((tag) => ({ tag, count: all.filter(({ note }) => note?.tags.includes(tag)).length }))
          .filter(({ count }) => count > 0),
        firstId: all.at(0)?.id ?? null,
        lastId: all.at(-1)?.id ?? null,
      }
    },
    peopleWith(userId: number, by: "received" | "sent", throughId: number): number {
      const [own, other] =
        by === "received" ? (["receiverId", "senderId"] as const) : (["senderId", "receiverId"] as const)
      return new Set(since.filter((one) => one[own] === userId && one.id <= throughId).map((one) => one[other])).size
    },
    recap(userId: number | null): RecapFigures {
      const received = within.filter(({ receiverId }) => userId === null || receiverId === userId)
      const given = within.filter(({ senderId }) => userId === null || senderId === userId)
      const all = within.filter((one) => received.includes(one) || given.includes(one))
      const fromOf = ({ senderId, receiverId }: NewTransaction) => (userId === null ? receiverId : senderId)
      const toOf = ({ senderId, receiverId }: NewTransaction) => (userId === null ? senderId : receiverId)

      const countsOf = <Key>(keyOf: Record<"received" | "given", (one: NewTransaction) => Key>) => {
        const counts = new Map<Key, { received: number; given: number }>()
        for (const [side, some] of [
          ["received", received],
          ["given", given],
        ] as const)
          for (const one of some) {
            const key = keyOf[side](one)
            const of = counts.get(key) ?? { received: 0, given: 0 }
            counts.set(key, { ...of, [side]: of[side] + 1 })
          }
        return [...counts]
      }
      return {
        received: { ...sumOf(received), people: new Set(received.map(fromOf)).size },
        given: { ...sumOf(given), people: new Set(given.map(toOf)).size },
        months: countsOf({ received: monthOf, given: monthOf }).map(([month, counts]) => ({ month, ...counts })),
        tags: tags
          .map((tag) => ({ tag, count: received.filter(({ note }) => note?.tags.includes(tag)).length }))
          .filter(({ count }) => count > 0),
        people: countsOf({ received: fromOf, given: toOf }).map(([userId, counts]) => ({ userId, ...counts })),
        firstId: all.at(0)?.id ?? null,
        lastId: all.at(-1)?.id ?? null,
      }
    },
    ofPerson(id: number) {
      const lastOf = (all: readonly NewTransaction[]) => all.reduce<number | null>((_, { date }) => dayOf(date), null)
      return {
        received: sumOf(within.filter(({ receiverId }) => receiverId === id)),
        given: sumOf(within.filter(({ senderId }) => senderId === id)),
        lastReceived: lastOf(ever.filter(({ receiverId }) => receiverId === id)),
        lastGiven: lastOf(ever.filter(({ senderId }) => senderId === id)),
      }
    },
    person: (id: number) => ({
      sent: sumOf(within.filter(({ senderId }) => senderId === id)).value,
      lastReceived: ever
        .filter(({ receiverId }) => receiverId === id)
        .reduce<number | null>((_, { date }) => dayOf(date), null),
    }),
  }
}

const sumOf = (some: readonly NewTransaction[]) => ({
  count: some.length,
  value: some.reduce((points, { value }) => points + value, 0),
})

/** Sorts rows in an order that depends only on the rows. */
const inOrder = <T extends object>(rows: readonly T[]): T[] => {
  const key = (row: T) => Object.entries(row).toSorted().join()
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

const sortedTags = ({ tags, ...figures }: ReceivedFigures): ReceivedFigures => ({ ...figures, tags: inOrder(tags) })

const sorted = ({ tags, people, ...figures }: RecapFigures): RecapFigures => ({
  ...figures,
  months: inOrder(figures.months),
  tags: inOrder(tags),
  people: inOrder(people),
})
