import { expect, test } from "bun:test"
import { closeSync, constants, openSync } from "node:fs"
import { join } from "node:path"
import { writeAll } from "../src/write-all.ts"
import { temporaryFolder } from "./support/executable.ts"

const text = "transactions, one after another\n".repeat(20_000) // ten times what a pipe holds

/** Both ends of a pipe that never blocks. */
async function fullPipe(folder: string) {
  const path = join(folder, "pipe")
  expect(await Bun.spawn(["mkfifo", path]).exited).toBe(0)
  return { path, descriptor: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) }
}

test("a pipe that is read slowly gets everything", async () => {
  await using folder = await temporaryFolder()
  const { path, descriptor } = await fullPipe(folder.path)
  const copy = join(folder.path, "copy") // to a file, since nothing else runs here while this process writes
  const reader = Bun.spawn(["sh", "-c", `sleep 0.1; head -c ${text.length} < "${path}" > "${copy}"`])

  writeAll(descriptor, text, 10_000)

  expect(await reader.exited).toBe(0)
  expect(await Bun.file(copy).text()).toBe(text)
  closeSync(descriptor)
})

test("writing to a pipe that nobody reads ends after the timeout", async () => {
  await using folder = await temporaryFolder()
  const { descriptor } = await fullPipe(folder.path)

  expect(() => writeAll(descriptor, text, 20)).toThrow("EAGAIN")
  closeSync(descriptor)
})
