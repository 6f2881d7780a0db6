import { afterEach, expect, test } from "bun:test"
import { openStream } from "./support.ts"
import { until } from "./watching.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

let stream: Stream
afterEach(() => stream.close())

const text = (through: number) => JSON.stringify({ through })
const entry = (id: number) => ({ to: "Ana", from: "Bruno", value: id, id, date: "2026-11-21T12:00:00.123" })

test("a dashboard is told when it has caught up, and every so often from then on", async () => {
  stream = await openStream({ heartbeat: { everyMs: 20, text } })
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

test("every group of a crowd is told", async () => {
  stream = await openStream({ heartbeat: { everyMs: 50, text } })
  const crowd = Array.from({ length: 600 }, () => stream.watch())
  await stream.opened(600)
  await until(() => crowd.every(({ frames }) => frames.length >= 2))

  expect(crowd.every(({ frames }) => Bun.deepEquals(frames.slice(0, 2), [{ through: 0 }, { through: 0 }]))).toBe(true)
})
