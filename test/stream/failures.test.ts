import { afterEach, expect, test } from "bun:test"
import type { StreamEntry } from "../../src/domain/model.ts"
import type { HubOptions } from "../../src/stream/hub.ts"
import { openStream } from "./support.ts"
import { until } from "./watching.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

let stream: Stream
afterEach(() => stream.close())

/** A ledger whose reads can be made to fail, and to wait. */
function faulty() {
  const state = { failing: false, failures: 0, gate: Promise.resolve(), pages: 0 }
  const guarded =
    <A extends unknown[], T>(read: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await state.gate
      if (!state.failing) return read(...args)
      state.failures += 1
      throw new Error("disk I/O error")
    }
  const through = (ledger: HubOptions<StreamEntry>["ledger"]): HubOptions<StreamEntry>["ledger"] => {
    const after = guarded(ledger.after)
    return {
      ...ledger,
      lastId: guarded(ledger.lastId),
      after(id, limit) {
        state.pages += 1
        return after(id, limit)
      },
    }
  }
  return { state, through }
}

const values = (frames: unknown[]) => frames.map((frame) => (frame as { value: number }).value)

test("a failing read is logged and tried again: live dashboards miss nothing", async () => {
  const { state, through } = faulty()
  stream = await openStream({ through })
  const ana = stream.watch()
  await stream.opened(1)
  await stream.post(1)
  await ana.seen(1)

  state.failing = true
  await stream.post(2)
  await until(() => state.failures > 2)
  state.failing = false

  expect(values(await ana.seen(3))).toEqual([1, 2, 3])
  expect(stream.logged.join("")).toContain("disk I/O error")
})

test("a dashboard that is behind when a read fails goes on when the ledger can be read again", async () => {
  const { state, through } = faulty()
  stream = await openStream({ through })
  await stream.post(500)
  await stream.looks()

  state.failing = true
  const [ana, bruno] = [stream.watch(), stream.watch(400)]
  await stream.opened(2)
  await until(() => state.failures > 2)
  state.failing = false
  await stream.post(1)

  expect(values(await ana.seen(501))).toEqual(Array.from({ length: 501 }, (_, index) => index + 1))
  expect(values(await bruno.seen(101))).toEqual(Array.from({ length: 101 }, (_, index) => index + 401))
})

test("a dashboard that leaves while its page is read takes nothing down", async () => {
  const { state, through } = faulty()
  stream = await openStream({ through })
  await stream.post(500)
  await stream.looks()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  const carla = stream.watch()
  await stream.opened(1)
  await until(() => state.pages === 1)

  carla.close()
  await carla.closed
  resolve()
  await stream.post(1)
  await stream.looks()
  // Her page was the last: for nobody, none is read.
  expect(state.pages).toBe(1)

  const ana = stream.watch()
  await stream.post(1)

  expect(values(await ana.seen(502))).toEqual(Array.from({ length: 502 }, (_, index) => index + 1))
  expect(stream.logged).toEqual([])
})
