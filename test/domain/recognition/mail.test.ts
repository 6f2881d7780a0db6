import { expect, test } from "bun:test"
import { createCalendar, dayMs } from "../../../src/domain/calendar.ts"
import { createMailJobs, type DigestMail } from "../../../src/domain/jobs/jobs.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { createMailDispatch } from "../../../src/domain/recognition/mail.ts"
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
  const enqueued: DigestMail[] = []
  const dispatch = createMailDispatch({
    store: {
      ...store,
      jobs: {
        ...store.jobs,
        advance(progress, jobs) {
          for (const { kind, payload } of jobs) if (kind === "digest_mail") enqueued.push(payload as DigestMail)
          return store.jobs.advance(progress, jobs)
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
      return enqueued.map(({ period, userId }) => `${period} ${userId}`)
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
