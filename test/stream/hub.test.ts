import { afterEach, describe, expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
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

  test("that comes before the first transaction is sent it", async () => {
    stream = await openStream({ pollMs: noPoll })
    const ana = stream.watch()
    await stream.post(1)

    expect(await ana.seen(1)).toEqual([plain(1)])
  })

  test("resumes behind the transaction that it names, with id and date in each frame", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(3)
    const ana = stream.watch(1)
    await ana.seen(2)
    await stream.post(1)

    expect(await ana.seen(3)).toEqual([resumable(2), resumable(3), resumable(4)])
  })

  test("that names 0 is sent everything, with id and date", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(1)

    expect(await stream.watch(0).seen(1)).toEqual([resumable(1)])
  })

  test("that names a transaction of the future is sent what comes behind it", async () => {
    stream = await openStream({ pollMs: noPoll })
    await stream.post(3)
    const ana = stream.watch(5)
    const bruno = stream.watch(4)
    await stream.post(1)
    await stream.post(3)

    expect(await ana.seen(2)).toEqual([resumable(6), resumable(7)])
    expect(await bruno.seen(3)).toEqual([resumable(5), resumable(6), resumable(7)])
  })

  test("of either format sees its own frames beside the other", async () => {
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

  test("is told by 1001 that the server stops, as is one that comes later", async () => {
    stream = await openStream()
    await stream.post(1)
    const ana = stream.watch()
    const bruno = stream.watch(99)
    await Promise.all([ana.seen(1), stream.opened(2)])

    stream.hub.stop()

    expect(await Promise.all([ana.closed, bruno.closed, stream.watch().closed])).toEqual([1001, 1001, 1001])
  })
})
