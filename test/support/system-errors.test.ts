import { expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { describe, explained, ownerCure, problemOf, writeProblemOf } from "../../src/support/system-errors.ts"
import { temporaryFolder } from "./executable.ts"

/** What a call of the system throws. */
function thrownBy(call: () => unknown): Error {
  try {
    call()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("nothing was thrown")
}

const withCode = (code: string, syscall: string, path: string) =>
  Object.assign(new Error(`${code}: raw, ${syscall} '${path}'`), { code, syscall, path })

test("a file that cannot be read is explained in words", async () => {
  await using folder = await temporaryFolder()
  writeFileSync(`${folder.path}/file`, "")

  expect(describe(thrownBy(() => readFileSync(`${folder.path}/none`)))).toBe(
    `${folder.path}/none: there is no such file`,
  )
  expect(describe(thrownBy(() => readFileSync(`${folder.path}/file/x`)))).toBe(
    `${folder.path}/file/x: a folder in its path is a file; choose another path`,
  )
  expect(describe(withCode("EACCES", "open", "/etc/rewards/rewards.toml"))).toBe(
    "/etc/rewards/rewards.toml: permission denied; give this user the right to use it, or run the command as its owner",
  )
})

test("a file that cannot be written is explained by whether its folder and the file exist", async () => {
  await using folder = await temporaryFolder()
  const { path } = folder
  writeFileSync(`${path}/file`, "")
  const denied = withCode("EACCES", "open", "")

  expect(
    writeProblemOf(
      thrownBy(() => writeFileSync(`${path}/none/new`, "")),
      `${path}/none/new`,
    ),
  ).toBe(`there is no folder ${path}/none; create it first`)
  expect(writeProblemOf(denied, `${path}/none/new`)).toBe(`there is no folder ${path}/none; create it first`)
  expect(writeProblemOf(denied, `${path}/new`)).toBe(
    `this user may not write to the folder ${path}; give this user the right to write, or choose another one`,
  )
  expect(writeProblemOf(denied, `${path}/file`)).toBe(
    "this user may not write to it; give this user the right to write, or choose another one",
  )
  expect(describe(thrownBy(() => mkdirSync(`${path}/none/new`)))).toBe(
    `${path}/none/new: there is no folder ${path}/none; create it first`,
  )
})

test("a server that cannot be reached is explained in words; an unknown error keeps its message", () => {
  expect(explained(withCode("ECONNREFUSED", "connect", ""))).toEqual({
    problem: "connection refused",
    cure: "check that the server runs, its address and its port",
  })
  expect(problemOf(new Error("something else"))).toBe("something else")
  expect(problemOf(withCode("EUNHEARD", "open", "/a/secret"), "it cannot be used")).toBe("it cannot be used")
})

test("what belongs to another user is told with both user ids and the command", () => {
  expect(ownerCure("/data", 1000, 10001)).toBe(
    "it belongs to user id 1000, and this process runs as 10001: run `chown -R 10001 /data` as root, or this program as user id 1000",
  )
  expect(ownerCure("/data", 1000, 1000)).toBe("give this user the right to write, or choose another one")
})
