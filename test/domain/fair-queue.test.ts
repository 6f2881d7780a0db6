import { expect, test } from "bun:test"
import { createFairQueue } from "../../src/domain/fair-queue.ts"

const item = (who: string | undefined) => ({ who })

test("next is whoever has the fewest under way; the server itself is one caller among the others", () => {
  const queue = createFairQueue()
  const [first, second, third] = [item("ana"), item("ana"), item("ana")]
  const [one, own] = [item("bruno"), item(undefined)]
  for (const each of [first, second, third]) queue.add(each)
  expect([queue.next(), queue.next()]).toEqual([first, second])
  for (const each of [one, own]) queue.add(each)
  expect(queue.all()).toEqual([third, one, own])

  expect([queue.next(), queue.next()]).toEqual([one, own])
  queue.done(first)
  queue.done(second)
  const late = item("bruno")
  queue.add(late)
  expect([queue.next(), queue.next(), queue.next()]).toEqual([third, late, undefined])
  expect(queue.size()).toBe(0)
})

test("what is taken back is not next, and can be taken back once", () => {
  const queue = createFairQueue()
  const [gone, stays] = [item("ana"), item("ana")]
  queue.add(gone)
  queue.add(stays)

  expect([queue.remove(gone), queue.remove(gone)]).toEqual([true, false])
  expect(queue.size()).toBe(1)
  expect(queue.next()).toBe(stays)
  expect(queue.remove(stays)).toBe(false)
})
