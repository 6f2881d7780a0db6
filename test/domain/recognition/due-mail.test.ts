import { expect, test } from "bun:test"
import { createCalendar, dayMs } from "../../../src/domain/calendar.ts"
import {
  createMailJobs,
  type DigestMail,
  digestMailKind,
  newcomerMailKind,
  recapMailKind,
  teamMailKind,
} from "../../../src/domain/jobs/jobs.ts"
import type { NewJob } from "../../../src/domain/jobs/ports.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { createMailDispatch } from "../../../src/domain/recognition/due-mail.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { allow, person, threePeople } from "../../storage/contract/people.ts"
import { silent, testFolder } from "../../storage/files.ts"
import { createTestClock } from "../../support/clock.ts"

/** The dispatch of mail on a new database with Ana, Bruno and Carla, and the digests that it enqueues. */
async function openDispatch() {
  const folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  const clock = createTestClock()
  const people = await threePeople(store)
  const enqueued: NewJob[] = []
  const dispatch = createMailDispatch({
    store: {
      ...store,
      jobs: {
        ...store.jobs,
        async advance(progress, jobs) {
          const moved = await store.jobs.advance(progress, jobs)
          if (moved) enqueued.push(...jobs)
          return moved
        },
      },
    },
    clock: clock.now,
    calendar: createCalendar("UTC"),
    mailJobs: createMailJobs({ clock: clock.now, maxAttempts: 1, delayMs: 0, wake() {} }),
  })

  return {
    ...people,
    store,
    clock,
    send: (kind: "transfer" | "grant", from: User, to: User) =>
      store.ledger.post({ kind, senderId: from.id, receiverId: to.id, value: 1, date: clock.now() }, allow),
    /** The period and the reader of each digest that is due now. */
    async due() {
      enqueued.length = 0
      await dispatch.enqueueDue()
      return enqueued
        .filter(({ kind }) => kind === digestMailKind)
        .map(({ payload }) => payload as DigestMail)
        .map(({ period, userId }) => `${period} ${userId}`)
    },
    /** The people in the payloads of this kind that several processes enqueue now, looking at the same moment. */
    async dueOf(kind: string) {
      enqueued.length = 0
      await Promise.all([dispatch, dispatch, dispatch].map((one) => one.enqueueDue()))
      return enqueued.filter((job) => job.kind === kind).map(({ payload }) => (payload as { userId: number }).userId)
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test("a digest is enqueued only for people whom it has something to tell", async () => {
  await using here = await openDispatch()
  const { store, clock, send, due, ana, bruno, carla } = here
  const dora = await store.users.create(person("Dora"))
  await store.users.create(person("Emil"))

  await due()
  await send("transfer", ana, bruno)
  const { id } = await send("transfer", ana, carla)
  await store.ledger.post(
    { kind: "reversal", reverses: id, senderId: carla.id, receiverId: ana.id, value: 1, date: clock.now() },
    allow,
  )
  await send("grant", ana, dora)
  clock.advance(dayMs)
  expect(await due()).toEqual([`day ${bruno.id}`])
  clock.advance(6 * dayMs)
  expect(await due()).toEqual([`week ${ana.id}`, `week ${bruno.id}`, `week ${dora.id}`])
})

test("digests go on after a clock that ran ahead is set right, and no period is enqueued twice", async () => {
  await using here = await openDispatch()
  const { clock, send, due, ana, bruno } = here
  await due()
  await send("transfer", ana, bruno)
  clock.advance(dayMs)
  expect(await due()).toEqual([`day ${bruno.id}`])

  clock.advance(1000 * dayMs)
  await due()
  clock.advance(-1000 * dayMs)
  expect(await due()).toEqual([])
  clock.advance(3_600_000)
  expect(await due()).toEqual([])

  await send("transfer", ana, bruno)
  clock.advance(dayMs)
  expect(await due()).toEqual([`day ${bruno.id}`])
  expect(await due()).toEqual([])
})

test("a clock that starts in the past and is set soon makes no digest twice", async () => {
  await using here = await openDispatch()
  const { clock, send, due, ana, bruno } = here
  await due()
  await send("transfer", ana, bruno)
  clock.advance(dayMs)
  expect(await due()).toEqual([`day ${bruno.id}`])

  clock.advance(-20_000 * dayMs)
  for (let minute = 0; minute < 5; minute += 1) {
    expect(await due()).toEqual([])
    clock.advance(60_000)
  }
  clock.advance(20_000 * dayMs)

  expect(await due()).toEqual([])
})

/** The clock begins on 5 January 2026, an hour after the mails of that day. */
const joinedFor = (day: number) => `2025-12-${10 + day}`

test("a mail about each newcomer is due three weeks after the first day at eight, once, by whichever process", async () => {
  await using here = await openDispatch()
  const { store, clock, dueOf, ana, bruno, carla } = here
  await store.users.correct(bruno.id, { joined: joinedFor(6), managerId: ana.id }, [])
  await store.users.correct(carla.id, { joined: joinedFor(5), managerId: ana.id }, []) // before the first start
  expect(await dueOf(newcomerMailKind)).toEqual([])
  clock.advance(23 * 3_600_000 - 1)
  expect(await dueOf(newcomerMailKind)).toEqual([])
  clock.advance(1)
  expect(await dueOf(newcomerMailKind)).toEqual([bruno.id])
  clock.advance(1000)
  expect(await dueOf(newcomerMailKind)).toEqual([])
  clock.advance(30 * dayMs)
  expect(await dueOf(newcomerMailKind)).toEqual([])
})

test("what fell due while no server ran is made up for, up to two weeks, and goes on where a process stopped", async () => {
  await using here = await openDispatch()
  const { store, clock, dueOf, ana, bruno, carla } = here
  const dora = await store.users.create(person("Dora"))
  await dueOf(newcomerMailKind)
  for (const [{ id }, day] of [
    [bruno, 7],
    [carla, 8],
    [dora, 8],
  ] as const)
    await store.users.correct(id, { joined: joinedFor(day), managerId: ana.id }, [])
  clock.advance(16 * dayMs) // 21 January; the eighth is the first of fourteen days
  const reached = await store.jobs.progressOf("team_newcomers")
  // Another process stopped within that day, after Carla.
  await store.jobs.advance({ work: "team_newcomers", from: reached, to: `2026-01-08 ${carla.id}` }, [])
  expect(await dueOf(newcomerMailKind)).toEqual([dora.id])
  expect(await dueOf(newcomerMailKind)).toEqual([])
})

test("mails about newcomers go on after a clock that ran ahead or behind is set right, and none is enqueued twice", async () => {
  await using here = await openDispatch()
  const { store, clock, dueOf, ana, bruno, carla } = here
  await dueOf(newcomerMailKind)
  await store.users.correct(bruno.id, { joined: joinedFor(6), managerId: ana.id }, [])
  clock.advance(dayMs)
  expect(await dueOf(newcomerMailKind)).toEqual([bruno.id])
  for (const jumpMs of [-20_000 * dayMs, 1000 * dayMs]) {
    clock.advance(jumpMs)
    expect(await dueOf(newcomerMailKind)).toEqual([])
    clock.advance(-jumpMs)
    expect(await dueOf(newcomerMailKind)).toEqual([])
  }
  clock.advance(3_600_000)
  expect(await dueOf(newcomerMailKind)).toEqual([])
  await store.users.correct(carla.id, { joined: joinedFor(7), managerId: ana.id }, [])
  clock.advance(dayMs)
  expect(await dueOf(newcomerMailKind)).toEqual([carla.id])
})

test("on the first of a month a mail is due for everybody to whom somebody reports, once", async () => {
  await using here = await openDispatch()
  const { store, clock, dueOf, ana, bruno, carla } = here
  await dueOf(teamMailKind)
  await store.users.correct(bruno.id, { managerId: ana.id }, [])
  await store.users.correct(carla.id, { managerId: bruno.id }, [])
  clock.advance(27 * dayMs) // 1 February, 09:00
  await store.mail.choose(bruno.id, { mail: "off" })
  expect(await dueOf(teamMailKind)).toEqual([ana.id])
  expect(await dueOf(teamMailKind)).toEqual([])
  await store.mail.choose(bruno.id, { mail: "each" })
  clock.advance(28 * dayMs)
  expect(await dueOf(teamMailKind)).toEqual([ana.id, bruno.id])
})

test("on the first day after a quarter a mail is due for everybody who took part in it and wants mail, once", async () => {
  await using here = await openDispatch()
  const { store, clock, send, dueOf, ana, bruno, carla } = here
  const dora = await store.users.create(person("Dora"))
  await dueOf(recapMailKind)
  await send("transfer", ana, bruno)
  await send("transfer", bruno, carla)
  await send("grant", ana, dora)
  await store.mail.choose(carla.id, { mail: "off" })
  clock.advance(85 * dayMs) // 31 March, 09:00
  expect(await dueOf(recapMailKind)).toEqual([])
  clock.advance(23 * 3_600_000) // 1 April, 08:00
  expect(await dueOf(recapMailKind)).toEqual([ana.id, bruno.id])
  clock.advance(20 * dayMs)
  expect(await dueOf(recapMailKind)).toEqual([])
  clock.advance(200 * dayMs) // nobody took part in the quarters since
  expect(await dueOf(recapMailKind)).toEqual([])
})

test("the mails of a quarter go on where a process stopped", async () => {
  await using here = await openDispatch()
  const { store, clock, send, dueOf, ana, bruno } = here
  await dueOf(recapMailKind)
  await send("transfer", ana, bruno)
  clock.advance(87 * dayMs)
  await store.jobs.advance({ work: "quarter", from: "2025-10-01 done", to: `2026-01-01 ${ana.id}` }, [])
  expect(await dueOf(recapMailKind)).toEqual([bruno.id])
})
