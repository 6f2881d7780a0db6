import { afterEach, describe, expect, test } from "bun:test"
import { until } from "../support/until.ts"
import { openStream } from "./support.ts"
import { watchWithoutReading } from "./watching.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

// Long names make long frames, which fill the system's own buffers (some 4 MB) with fewer transactions.
const names = ["𝔸".repeat(100), "𝔹".repeat(100)] as const
const frame = (value: number) => ({ to: names[0], from: names[1], value })
const frames = (count: number) => Array.from({ length: count }, (_, index) => frame(index + 1))

let stream: Stream
afterEach(() => stream.close())

/**
 * Appends until the buffer of the n-th dashboard stays full, and a few thousand more: the system's own buffers grow
 * while they fill. Returns how many in all.
 */
async function fill(dashboard: number) {
  let posted = 0
  const post = async (count: number) => {
    await stream.post(count)
    posted += count
  }
  for (let [looks, sent] = [0, -1]; looks < 10; looks += 1) {
    const socket = stream.sockets[dashboard]
    const isFull = socket !== undefined && socket.getBufferedAmount() > 0
    if (!isFull || socket.data.cursor !== sent) looks = 0
    sent = socket?.data.cursor ?? -1
    await (isFull ? Bun.sleep(5) : post(1000))
  }
  await post(3000)
  return posted
}

for (const since of ["the history", "live frames"] as const)
  describe(`a dashboard that does not read ${since}`, () => {
    /** Carla opens the stream and stops reading; Ana reads all the time. */
    async function stalled() {
      stream = await openStream({ names })
      const ana = stream.watch()
      await stream.opened(1)
      const early = since === "live frames" ? watchWithoutReading(stream.port) : null
      if (early) await stream.opened(2)
      const history = early ? 0 : 10_000
      await stream.post(history)
      const carla = early ?? watchWithoutReading(stream.port)
      await stream.opened(2)
      return { ana, carla, posted: history + (await fill(1)) }
    }

    test("buffers at most 64 KiB, delays nobody, and gets everything once it reads again", async () => {
      const { ana, carla, posted } = await stalled()
      stream.moveClock(29_999)
      await stream.looks()
      expect(await ana.seen(posted)).toEqual(frames(posted))

      carla.read()
      await until(() => stream.sockets[1]?.getBufferedAmount() === 0)
      await stream.post(1)
      await until(() => carla.frames.length > posted)

      expect(carla.frames).toEqual(frames(posted + 1))
      expect(stream.peakBuffered()).toBeWithin(1, 64 * 1024 + 1)
      carla.destroy()
    })

    test("is closed with 1013 after 30 s", async () => {
      const { ana, carla, posted } = await stalled()
      await stream.looks()
      const { buffered } = stream.hub.read()
      expect(buffered).toBeWithin(1, 64 * 1024 + 1)
      expect(stream.hub.read()).toEqual({ clients: 2, buffered, dropped: 0 })
      stream.moveClock(30_000)
      await stream.looks()
      expect(stream.hub.read()).toEqual({ clients: 1, buffered: 0, dropped: 1 })
      await stream.post(1)

      carla.read()
      await carla.ended

      expect(carla.closeCode()).toBe(1013)
      expect(carla.frames).toEqual(frames(carla.frames.length))
      expect(await ana.seen(posted + 1)).toHaveLength(posted + 1)
      expect(stream.peakBuffered()).toBeWithin(1, 64 * 1024 + 1)
    })
  })

test("a dashboard that reads slowly is not closed", async () => {
  stream = await openStream({ names })
  const carla = watchWithoutReading(stream.port)
  await stream.opened(1)
  const posted = await fill(0)
  stream.moveClock(20_000)
  await stream.looks()
  // As when a part of the buffer has left. When that happens depends on the system's own buffers.
  for (const socket of stream.sockets) socket.data.events.drain(socket)
  stream.moveClock(20_000)
  await stream.looks()
  expect(stream.hub.read()).toMatchObject({ clients: 1, dropped: 0 })

  carla.read()
  await until(() => carla.frames.length === posted)

  expect(carla.frames).toEqual(frames(posted))
  expect(carla.closeCode()).toBeNull()
  carla.destroy()
})
