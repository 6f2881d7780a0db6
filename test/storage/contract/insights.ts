import { expect, test } from "bun:test"
import fc from "fast-check"
import { type DayRange, dayMs, dayText, utcDayOf } from "../../../src/domain/calendar.ts"
import type { NewTransaction, Note } from "../../../src/domain/ledger/model.ts"
import type { RecapFigures } from "../../../src/domain/recognition/model.ts"
import { allow, person, threePeople } from "./people.ts"
import { leftOf, type Planned, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

const tags = ["teamwork", "customer", "courage"]
const notes: fc.Arbitrary<Note | undefined> = fc.option(
  fc.subarray(tags, { minLength: 1 }).map((some) => ({ reason: "thanks", tags: some, isPrivate: false })),
  { nil: undefined },
)

export function insightPromises(open: OpenSubject) {
  test("insights match the recognitions, whichever store appended them", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()] as const
    const { ana, bruno, carla } = await threePeople(subject.store)
    await subject.store.users.correct(bruno.id, { dept: "support" })
    const dora = await subject.store.users.create(person("Dora", { dept: "support" }))
    const everybody = await Promise.all(["ana", "bruno", "carla", "dora"].map(subject.store.users.byUsername))
    const ids = fc.constantFrom(ana.id, bruno.id, carla.id, dora.id)
    const posted: NewTransaction[] = []

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(plannedAmong(ids), notes), { maxLength: 6 }),
        fc.nat(1),
        fc.nat(40),
        fc.nat(100),
        fc.nat(100),
        async (added, writer, daysLater, back, length) => {
          const day = utcDayOf(posted.at(-1)?.date ?? 0) + daysLater
          for (const [one, note] of added) await post(stores[writer === 0 ? 0 : 1], one, note, day)
          const days = { first: Math.max(0, day - back), last: Math.max(0, day - back) + length }

          const model = modelOf(posted, days, (id) => everybody.find((user) => user?.id === id)?.dept ?? "")
          for (const { insights } of stores) {
            expect(await insights.participation(days)).toEqual(model.participation)
            expect(inOrder(await insights.departments(days))).toEqual(inOrder(model.departments))
            expect(inOrder(await insights.tags(days))).toEqual(inOrder(model.tags))
            const people = await insights.people(days)
            expect(people.map(({ id, sent, lastReceived }) => ({ id, sent, lastReceived }))).toEqual(
              [ana, bruno, carla, dora].map(({ id }) => ({ id, ...model.person(id) })),
            )
            const some = [carla.id, ana.id]
            expect(await insights.ofPeople(some, days)).toEqual(some.map(model.ofPerson))
            for (const userId of [ana.id, null])
              expect(sorted(await insights.recap(userId, days))).toEqual(sorted(model.recap(userId)))
          }
        },
      ),
      { numRuns: 40 },
    )

    async function post(store: (typeof stores)[number], one: Planned, note: Note | undefined, day: number) {
      const transaction = planned(one, posted)
      if (transaction === null) return
      const dated = { ...transaction, date: day * dayMs + 5, ...(transaction.kind === "transfer" && { note }) }
      await store.ledger.post(dated, allow)
      posted.push(dated)
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
function modelOf(posted: readonly NewTransaction[], { first, last }: DayRange, deptOf: (id: number) => string) {
  const ever = leftOf(posted.map((one, index) => ({ ...one, id: index + 1 })))
  const within = ever.filter(({ date }) => utcDayOf(date) >= first && utcDayOf(date) <= last)
  const monthOf = ({ date }: NewTransaction) => dayText(utcDayOf(date)).slice(0, 7)
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
      const lastOf = (all: readonly NewTransaction[]) =>
        all.reduce<number | null>((_, { date }) => utcDayOf(date), null)
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
        .reduce<number | null>((_, { date }) => utcDayOf(date), null),
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

const sorted = ({ tags, people, ...figures }: RecapFigures): RecapFigures => ({
  ...figures,
  months: inOrder(figures.months),
  tags: inOrder(tags),
  people: inOrder(people),
})
