import { expect, test } from "bun:test"
import fc from "fast-check"
import type { StreamEntry } from "../../src/domain/ledger/model.ts"
import type { HubOptions } from "../../src/stream/hub.ts"
import { until } from "../support/until.ts"
import { openStream } from "./support.ts"

const appends = 2000
const noPoll = 3_600_000

/** `at`: how many transactions were sent before it connects; `after`: as in the query. */
const visitor = fc.record({
  at: fc.nat(appends - 1),
  after: fc.option(fc.nat(appends + 200), { nil: undefined, freq: 3 }),
})
const visitors = fc.array(visitor, { minLength: 50, maxLength: 50 })

type Ledger = HubOptions<StreamEntry>["ledger"]

const stores: Record<string, ((ledger: Ledger) => Ledger) | undefined> = {
  "answers at once": undefined,
  "answers late": (ledger) => ({
    ...ledger,
    after: async (id, limit) => delayed(await ledger.after(id, limit)),
    lastId: async () => delayed(await ledger.lastId()),
  }),
}

for (const [how, through] of Object.entries(stores))
  test(
    `50 dashboards that join during 2,000 appends each see every transaction once, in order; the store ${how}`,
    () =>
      fc.assert(
        fc.asyncProperty(visitors, async (visits) => {
          const stream = await openStream({ pollMs: noPoll, ...(through && { through }) })
          const watched: { after: number | undefined; frames: unknown[] }[] = []
          const posted: Promise<unknown>[] = []

          for (let asked = 0; asked < appends; asked += 1) {
            for (const { at, after } of visits) if (at === asked) watched.push({ after, ...stream.watch(after) })
            posted.push(stream.postOne())
            if (asked % 16 === 0) await Bun.sleep(0)
          }
          await Promise.all(posted)
          await stream.opened(visits.length)
          // Some `after` lie in the future; these transactions go past all of them.
          for (let more = 0; more < 30; more += 1) await stream.post(10)
          const last = appends + 300
          await until(() => watched.every(({ after = 0, frames }) => frames.length >= last - after))

          for (const { after, frames } of watched) expect(values(frames)).toEqual(numbers(after ?? 0, last))
          await stream.close()
        }),
        { numRuns: 3 },
      ),
    120_000,
  )

let answers = 0

/** Delays of 0 to 2 ms in turn, so that a failure can be repeated. */
async function delayed<T>(answer: T): Promise<T> {
  answers += 1
  await Bun.sleep(answers % 3)
  return answer
}

const values = (frames: unknown[]) => frames.map((frame) => (frame as { value: number }).value)

/** after + 1 to last. */
const numbers = (after: number, last: number) => Array.from({ length: last - after }, (_, index) => after + index + 1)
