import { afterEach, expect, test } from "bun:test"
import { until } from "../support/until.ts"
import { openStream } from "./support.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

const noPoll = 3_600_000
let stream: Stream
afterEach(() => stream.close())

const values = (frames: unknown[]) => frames.map((frame) => (frame as { value: number }).value)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** More than one group of each format. */
const crowd = 600

test("many dashboards, some of which join late, each see every transaction once, in order", async () => {
  stream = await openStream({ pollMs: noPoll })
  await stream.post(3)
  const watched = Array.from({ length: crowd }, (_, index) => stream.watch(index % 2 === 0 ? 3 : undefined))
  await stream.opened(crowd)

  for (let more = 0; more < 100; more += 1) {
    if (more % 10 === 0) watched.push(stream.watch(3), stream.watch())
    await stream.post(2)
  }
  await stream.opened(crowd + 20)
  await until(() => watched.every(({ frames }, index) => frames.length >= (index % 2 === 0 ? 200 : 203)))
  await stream.post(1)
  await until(() => watched.every(({ frames }, index) => frames.length >= (index % 2 === 0 ? 201 : 204)))

  for (const [index, { frames }] of watched.entries())
    expect(values(frames)).toEqual(numbers(index % 2 === 0 ? 4 : 1, 204))
})

test("if many dashboards connect at once, each part of the history is read once", async () => {
  const reads: number[] = []
  stream = await openStream({
    pollMs: noPoll,
    through: (ledger) => ({
      ...ledger,
      after(id, limit) {
        if (id < 2000) reads.push(id)
        return ledger.after(id, limit)
      },
    }),
  })
  await stream.post(2000)
  const watched = Array.from({ length: 100 }, () => stream.watch())

  for (const { seen } of watched) expect(values(await seen(2000))).toEqual(numbers(1, 2000))
  expect(reads).toEqual([...new Set(reads)])
})

test("if dashboards leave during publications, the others miss nothing", async () => {
  stream = await openStream({ pollMs: noPoll })
  const watched = Array.from({ length: crowd }, () => stream.watch())
  await Promise.all(watched.map(({ opened }) => opened))
  const staying = watched.filter((_, index) => index % 3 === 0)
  const leaving = watched.filter((_, index) => index % 3 !== 0)

  for (let round = 0; round < 20; round += 1) {
    const posted = stream.post(2)
    for (const dashboard of leaving.splice(0, 20)) dashboard.close()
    await posted
  }

  for (const { seen } of staying) expect(values(await seen(40))).toEqual(numbers(1, 40))
})

const entry = (id: number) => ({ to: "Ana", from: "Bruno", value: id, id, date: "2026-11-21T12:00:00.123" })

test("a dashboard gets a heartbeat when it has caught up and regularly from then on", async () => {
  stream = await openStream({ heartbeatMs: 20 })
  await stream.post(2)
  const ana = stream.watch(0)
  await ana.seen(5)
  await stream.post(1)
  await until(() => ana.frames.some((frame) => Bun.deepEquals(frame, { through: 3 })))

  const entries = ana.frames.filter((frame) => !Object.hasOwn(frame as object, "through"))
  expect(entries).toEqual([entry(1), entry(2), entry(3)])
  expect(ana.frames.slice(0, 4)).toEqual([entry(1), entry(2), { through: 2 }, { through: 2 }])
  const third = ana.frames.findIndex((frame) => Bun.deepEquals(frame, entry(3)))
  expect(ana.frames.slice(third + 1)).toContainEqual({ through: 3 })
  expect(ana.frames.slice(0, third)).not.toContainEqual({ through: 3 })
})

test("every group gets heartbeats", async () => {
  stream = await openStream({ heartbeatMs: 50 })
  const crowd = Array.from({ length: 600 }, () => stream.watch())
  await stream.opened(600)
  await until(() => crowd.every(({ frames }) => frames.length >= 2))

  expect(crowd.every(({ frames }) => Bun.deepEquals(frames.slice(0, 2), [{ through: 0 }, { through: 0 }]))).toBe(true)
})
