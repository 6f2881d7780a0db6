import { afterEach, expect, test } from "bun:test"
import { openStream } from "./support.ts"
import { until } from "./watching.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

const noPoll = 3_600_000
let stream: Stream
afterEach(() => stream.close())

const values = (frames: unknown[]) => frames.map((frame) => (frame as { value: number }).value)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** More than are published to in one turn of the event loop, in either format. */
const crowd = 600

test("a crowd of dashboards, and those that join it, each see every transaction once, in order", async () => {
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

test("a crowd that comes at once reads each part of the history once", async () => {
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

test("dashboards of a crowd may leave while it is published to", async () => {
  stream = await openStream({ pollMs: noPoll })
  const watched = Array.from({ length: crowd }, () => stream.watch())
  await stream.opened(crowd)
  const staying = watched.filter((_, index) => index % 3 === 0)
  const leaving = watched.filter((_, index) => index % 3 !== 0)

  for (let round = 0; round < 20; round += 1) {
    const posted = stream.post(2)
    for (const dashboard of leaving.splice(0, 20)) dashboard.close()
    await posted
  }

  for (const { seen } of staying) expect(values(await seen(40))).toEqual(numbers(1, 40))
})
