import { afterEach, describe, expect, test } from "bun:test"
import type { StreamEntry } from "../../src/domain/ledger/model.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import type { HubOptions } from "../../src/stream/hub.ts"
import { until } from "../support/until.ts"
import { openStream } from "./support.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

const noPoll = 3_600_000
let stream: Stream
afterEach(() => stream.close())

const plain = (value: number) => ({ to: "Ana", from: "Bruno", value })
const resumable = (id: number) => ({ ...plain(id), id, date: "2026-11-21T12:00:00.123" })

describe("a dashboard", () => {
  test("is sent every existing transaction in ascending order, then each new one as it is committed", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(450)
    const ana = stream.watch()
    await ana.seen(450)

    await stream.post(2)
    await stream.post(1)

    expect(await ana.seen(453)).toEqual(Array.from({ length: 453 }, (_, index) => plain(index + 1)))
  })

  test("that connects before the first transaction gets it", async () => {
    stream = await openStream({ pollMs: noPoll })
    const ana = stream.watch()
    await stream.post(1)

    expect(await ana.seen(1)).toEqual([plain(1)])
  })

  test("resumes after the transaction in `after`, with id and date in each frame", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(3)
    const ana = stream.watch(1)
    await ana.seen(2)
    await stream.post(1)

    expect(await ana.seen(3)).toEqual([resumable(2), resumable(3), resumable(4)])
  })

  test("with `after` 0 is sent everything, with id and date", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(1)

    expect(await stream.watch(0).seen(1)).toEqual([resumable(1)])
  })

  test("with `after` in the future is sent what comes after it", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(3)
    const ana = stream.watch(5)
    const bruno = stream.watch(4)
    await stream.post(1)
    await stream.post(3)

    expect(await ana.seen(2)).toEqual([resumable(6), resumable(7)])
    expect(await bruno.seen(3)).toEqual([resumable(5), resumable(6), resumable(7)])
  })

  test("gets the frames of its own format", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(1)
    const [ana, bruno] = [stream.watch(), stream.watch(0)]
    await Promise.all([ana.seen(1), bruno.seen(1)])
    await stream.post(1)

    expect(await ana.seen(2)).toEqual([plain(1), plain(2)])
    expect(await bruno.seen(2)).toEqual([resumable(1), resumable(2)])
  })

  test("sees what another process appends within the polling interval", async () => {
    stream = await openStream({ pollMs: 5 })
    await stream.post(1)
    const ana = stream.watch()
    await ana.seen(1)

    const other = await openStore({ path: stream.path })
    await stream.post(3, other.ledger)

    expect(await ana.seen(4)).toEqual([1, 2, 3, 4].map(plain))
    await other.close()
  })

  test("is closed with 1001 when the server stops, also if it connects later", async () => {
    stream = await openStream()
    await stream.post(1)
    const ana = stream.watch()
    const bruno = stream.watch(99)
    await Promise.all([ana.seen(1), stream.opened(2)])

    stream.hub.stop()

    expect(await Promise.all([ana.closed, bruno.closed, stream.watch().closed])).toEqual([1001, 1001, 1001])
  })
})

/** A ledger whose reads can be made to fail or to wait. */
function faulty() {
  const state = { failing: false, failures: 0, gate: Promise.resolve(), pages: 0, heads: 0 }
  const guarded =
    <A extends unknown[], T>(read: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (!state.failing) return read(...args)
      state.failures += 1
      throw new Error("disk I/O error")
    }
  const through = (ledger: HubOptions<StreamEntry>["ledger"]): HubOptions<StreamEntry>["ledger"] => {
    const [after, lastId] = [guarded(ledger.after), guarded(ledger.lastId)]
    return {
      ...ledger,
      lastId() {
        state.heads += 1
        return lastId()
      },
      async after(id, limit) {
        state.pages += 1
        await state.gate
        return after(id, limit)
      },
    }
  }
  return { state, through }
}

const values = (frames: unknown[]) => frames.map((frame) => (frame as { value: number }).value)

test("a failed read is logged and retried: live dashboards miss nothing", async () => {
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

test("a dashboard that is behind when a read fails continues once the ledger can be read again", async () => {
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

test("that leaves while its page is read causes no error", async () => {
  const { state, through } = faulty()
  stream = await openStream({ through })
  await stream.post(500)
  await stream.looks()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  const carla = stream.watch()
  await carla.opened // a socket that is closed earlier, which the server may have accepted by then, never opened
  await until(() => state.pages === 1)

  carla.close()
  await carla.closed
  resolve()
  await stream.post(1)
  await stream.looks()
  // No further page is read, since nobody is behind.
  expect(state.pages).toBe(1)

  const ana = stream.watch()
  await stream.post(1)

  expect(values(await ana.seen(502))).toEqual(Array.from({ length: 502 }, (_, index) => index + 1))
  expect(stream.logged).toEqual([])
})

test("while nobody is connected, the hub does not read the ledger", async () => {
  const { state, through } = faulty()
  stream = await openStream({ through })
  await stream.post(2)
  await stream.looks()
  expect(state.heads).toBe(0)

  expect(values(await stream.watch().seen(2))).toEqual([1, 2])
  expect(state.heads).toBeGreaterThan(0)
})
