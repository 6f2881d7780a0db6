import { expect, test } from "bun:test"
import { createLog } from "../src/log.ts"

const at = Date.UTC(2026, 0, 5, 9)
const time = "2026-01-05T09:00:00.000Z"

test("the lines of one turn leave in one write", async () => {
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

test("lines that cannot be written are dropped without blocking, and reported once writing works again", () => {
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
