import { afterEach, expect, test } from "bun:test"
import { until } from "../support/until.ts"
import { noon, openStream } from "./support.ts"

type Stream = Awaited<ReturnType<typeof openStream>>

let stream: Stream
afterEach(() => stream.close())

test("a stream is closed with 1008 once its credential has ended; the other streams continue", async () => {
  const ended = new Set<number | null>()
  stream = await openStream({ admits: (after) => !ended.has(after) })
  const [ana, bruno] = [stream.watch(0), stream.watch()]
  await stream.post(1)
  await Promise.all([ana.seen(1), bruno.seen(1)])
  await stream.looks()

  ended.add(0)
  stream.changeAccess()
  expect(await ana.closed).toBe(1008)
  await stream.post(1)

  expect(await bruno.seen(2)).toEqual([
    { to: "Ana", from: "Bruno", value: 1 },
    { to: "Ana", from: "Bruno", value: 2 },
  ])
  expect(ana.frames).toHaveLength(1)
})

test("if the credentials of many streams end at once, all those streams are closed", async () => {
  let admits = true
  stream = await openStream({ admits: () => admits })
  const watched = Array.from({ length: 120 }, () => stream.watch())
  await stream.opened(120)
  await stream.looks()

  admits = false
  stream.changeAccess()

  expect(new Set(await Promise.all(watched.map(({ closed }) => closed)))).toEqual(new Set([1008]))
})

test("a failed check is logged and retried, and closes no stream", async () => {
  let failures = 0
  let verdict = (): boolean => {
    failures += 1
    throw new Error("disk I/O error")
  }
  const admits = () => verdict()
  stream = await openStream({ admits })
  const ana = stream.watch()
  await until(() => failures > 2)
  expect(stream.logged.join("")).toContain("disk I/O error")

  let checks = 0
  verdict = () => {
    checks += 1
    return true
  }
  await until(() => checks > 0)
  await stream.post(1)

  expect(await ana.seen(1)).toEqual([{ to: "Ana", from: "Bruno", value: 1 }])
})

test("credentials are not checked again before they expire, unless a change may have ended one", async () => {
  let checks = 0
  const admits = () => {
    checks += 1
    return true
  }
  stream = await openStream({ admits, expiresAt: noon + 1000 })
  Array.from({ length: 120 }, () => stream.watch())
  await stream.opened(120)
  await until(() => checks === 120)
  for (let count = 0; count < 10; count += 1) await stream.looks()
  expect(checks).toBe(120)

  stream.changeAccess()
  await until(() => checks === 240)
  for (let count = 0; count < 10; count += 1) await stream.looks()
  expect(checks).toBe(240)

  stream.moveClock(1000)
  await until(() => checks >= 360)
})
