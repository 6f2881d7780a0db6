import { expect, test } from "bun:test"
import { createCalendar, dayMs } from "../../../src/domain/calendar.ts"
import { createRecognitionTable } from "../../../src/storage/recognition/recognition-table.ts"
import { createTickMeter } from "../../support/ticks.ts"

const days = 100

/** A hundred recognitions a day, of user 1 to user 2. */
function filled(length: number) {
  const table = createRecognitionTable(createCalendar("UTC"))
  for (let id = 1; id <= length; id += 1)
    table.add({ id, senderId: 1, receiverId: 2, value: 3, date: Math.floor((id * days) / length) * dayMs, tags: "a b" })
  return table
}

test("recognitions of the given days are visited in order, without those that were taken back completely", async () => {
  const table = filled(1000)
  for (const id of [250, 999, 5000]) table.reverse(id, id === 250 ? 3 : 2)
  table.forgetTags(251)

  const seen: unknown[] = []
  const { visit, tagsIn, userIds } = table.recognitions()
  await visit({ first: 25, last: 25 }, ({ days, left, tagLists }, at) => {
    seen.push([at, days[at], left[at], tagsIn(tagLists[at] ?? 0).join()])
  })

  expect(userIds).toBe(3)
  expect(seen).toEqual([[250, 25, 3, ""], ...Array.from({ length: 8 }, (_, index) => [251 + index, 25, 3, "a,b"])])
})

test("recognitions added during a visit are not visited, and the event loop runs in between", async () => {
  const table = filled(100_000)
  let ticks = 0
  let isVisiting = true
  const tick = () => {
    ticks += 1
    if (ticks < 50)
      table.add({ id: 100_000 + ticks, senderId: 8, receiverId: 9, value: 1, date: days * dayMs, tags: "" })
    if (isVisiting) setImmediate(tick)
  }
  setImmediate(tick)

  let visited = 0
  await table.recognitions().visit({ first: 0, last: days }, (_, at) => {
    visited += 1
    if (at % 8192 === 0) Bun.sleepSync(6) // a slow machine
  })
  isVisiting = false

  expect(visited).toBe(100_000)
  expect(ticks).toBeGreaterThanOrEqual(12)
  expect(table.recognitions().userIds).toBe(10)
})

test("many visits at once share the time of a tick", async () => {
  const table = filled(20_000)
  const meter = createTickMeter()
  const visit = () =>
    table.recognitions().visit({ first: 0, last: days }, (_, at) => {
      if (at % 8192 !== 0) return
      Bun.sleepSync(6) // a slow machine
      meter.add(1)
    })

  await Promise.all(Array.from({ length: 8 }, visit))
  expect(meter.most()).toBe(1)
})
