import { expect, test } from "bun:test"
import { createRepeatedWork } from "../../src/jobs/repeated-work.ts"
import { createLog } from "../../src/support/log.ts"
import { until } from "../support/until.ts"

/** Does work once for each of these calls, and returns what was logged. */
async function logOf(...calls: readonly ((report: (error: Error) => void) => void)[]) {
  const lines: string[] = []
  const log = createLog((text) => lines.push(...text.trimEnd().split("\n")))
  let done = 0
  const work = createRepeatedWork({
    async work(report) {
      const call = calls[done]
      done += 1
      call?.(report)
    },
    failure: "it failed",
    log,
    everyMs: 1,
  })
  work.start()
  await until(() => done >= calls.length)
  await work.stop()
  log.flush()
  return lines.map((line) => JSON.parse(line).error)
}

const failed = (code: string) => Object.assign(new Error("no"), { code })
const full = failed("SQLITE_FULL")
const away = failed("ECONNREFUSED")

const reports =
  (...errors: readonly Error[]) =>
  (report: (error: Error) => void) =>
    errors.forEach(report)
const throws = () => {
  throw full
}

test("a failure that goes on is logged once, and another one beside it too", async () => {
  const logged = await logOf(
    reports(full),
    reports(full),
    reports(full, away),
    reports(away, full, full),
    reports(full),
  )
  expect(logged).toEqual(["SQLITE_FULL", "ECONNREFUSED"])
})

test("a failure that comes back is logged again", async () => {
  expect(await logOf(reports(full), reports(), reports(full))).toEqual(["SQLITE_FULL", "SQLITE_FULL"])
})

test("work that throws is called again, and what it throws each time is logged once", async () => {
  expect(await logOf(throws, throws, throws)).toEqual(["SQLITE_FULL"])
})
