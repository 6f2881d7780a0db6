import { expect, test } from "bun:test"
import { closeSync, constants, openSync } from "node:fs"
import { join } from "node:path"
import { createLog, writeAll } from "../../src/support/log.ts"
import { temporaryFolder } from "./executable.ts"

const at = Date.UTC(2026, 0, 5, 9)
const time = "2026-01-05T09:00:00.000Z"

test("the lines of one tick are written together", async () => {
  const written: string[] = []
  const log = createLog(
    (text) => written.push(text),
    () => at,
  )

  log.info("first", { id: 1 })
  log.warn("second")
  expect(written).toEqual([])
  await new Promise(setImmediate)

  expect(written).toEqual([
    `{"time":"${time}","level":"info","message":"first","id":1}\n{"time":"${time}","level":"warn","message":"second"}\n`,
  ])
})

test("a process that ends at once writes what it said, and nothing after it", async () => {
  const written: string[] = []
  const log = createLog((text) => written.push(text))
  log.error("exiting")

  const ended = log.end()
  log.info("request")
  await ended
  await new Promise(setImmediate)

  expect(written.map((text) => JSON.parse(text).message)).toEqual(["exiting"])
})

test("lines that cannot be written are dropped without blocking, and the loss is reported when writing works again", () => {
  const written: string[] = []
  let isFull = true
  const log = createLog(
    (text) => {
      if (isFull) throw new Error("ENOSPC")
      written.push(text)
    },
    () => at,
  )

  for (const message of ["one", "two"]) {
    log.info(message)
    log.info("and another")
    log.flush()
  }
  isFull = false
  log.error("three")
  log.flush()
  log.error("four")
  log.flush()

  expect(written.join("")).toBe(
    [
      `{"time":"${time}","level":"warn","message":"log lines could not be written and were dropped","lines":4}\n`,
      `{"time":"${time}","level":"error","message":"three"}\n`,
      `{"time":"${time}","level":"error","message":"four"}\n`,
    ].join(""),
  )
})

const text = "transactions, one after another\n".repeat(20_000) // ten times what a pipe holds

/** Both ends of a pipe that never blocks. */
async function fullPipe(folder: string) {
  const path = join(folder, "pipe")
  expect(await Bun.spawn(["mkfifo", path]).exited).toBe(0)
  return { path, descriptor: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) }
}

test("a pipe that is read slowly gets every line", async () => {
  await using folder = await temporaryFolder()
  const { path, descriptor } = await fullPipe(folder.path)
  const copy = join(folder.path, "copy") // to a file, since nothing else runs here while this process writes
  const reader = Bun.spawn(["sh", "-c", `sleep 0.1; head -c ${text.length} < "${path}" > "${copy}"`])

  writeAll(descriptor, text)

  expect(await reader.exited).toBe(0)
  expect(await Bun.file(copy).text()).toBe(text)
  closeSync(descriptor)
})

test("while a write is under way, lines wait; beyond a megabyte they are lost, and counted when there is room again", async () => {
  const written: string[] = []
  const writes: (() => void)[] = []
  const log = createLog(
    (text) => {
      written.push(text)
      return new Promise<void>((resolve) => writes.push(resolve))
    },
    () => at,
  )
  const long = "x".repeat(100_000)

  log.info("first")
  log.flush()
  for (let index = 0; index < 20; index += 1) log.info(long)
  await new Promise(setImmediate)
  expect([written.length, log.lost()]).toEqual([1, 9])
  writes[0]?.()
  while (writes.length < 2) await new Promise(setImmediate)
  log.info("last")
  const ended = log.written()
  writes[1]?.()
  while (writes.length < 3) await new Promise(setImmediate)
  writes[2]?.()
  await ended

  const messages = written
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(messages.map(({ message, lines }) => (message === long ? "long" : [message, lines]))).toEqual([
    ["first", undefined],
    ...Array(11).fill("long"),
    ["log lines could not be written and were dropped", 9],
    ["last", undefined],
  ])
})

test("the end of a process does not wait for ever for a reader that hangs", async () => {
  const log = createLog(() => new Promise<void>(() => {}))
  log.info("first")

  await log.written()
})
