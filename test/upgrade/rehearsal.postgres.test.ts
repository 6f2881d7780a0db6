import { expect, test } from "bun:test"
import { readdirSync, statSync, truncateSync } from "node:fs"
import { dirname, join } from "node:path"
import { version } from "../../package.json"
import { migrations } from "../../src/storage/sqlite/database/migrations.ts"
import { executable, runCommand, temporaryFolder } from "../support/executable.ts"
import { open, recordings, releases } from "./recorded.ts"

const [first = ""] = releases
/** How many migrations the first release lacks. */
const since = migrations.length - 1

test("upgrade --check says what this version changes in the database of the first release, and changes nothing", async () => {
  await using database = await open(join(recordings, first), "sqlite-closed")
  const { path } = database.place
  const state = () => [
    readdirSync(dirname(path))
      .filter((name) => !name.endsWith(".lock"))
      .toSorted(),
    statSync(path).mtimeMs,
  ]
  const before = state()

  const { status, stdout, stderr } = await runCommand(["upgrade", "--check", "--db", path], {})
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  const [what, took, room, verdict] = stdout.trimEnd().split("\n")
  expect(what).toStartWith(`Version ${version} would apply ${since} migrations to ${path}: 0001_references, `)
  expect(took).toMatch(/^Tried on a copy: the backup before it took \d+\.\d s, the migrations \d+\.\d s$/)
  expect(room).toMatch(/^It needs up to \d+\.\d MB beside the database; \d+\.\d MB are free$/)
  expect(verdict).toBe("The changed copy was verified: nothing wrong")
  expect(state()).toEqual(before)
})

test("upgrade --check has the numbers as JSON, and room that covers the backup", async () => {
  await using database = await open(join(recordings, first), "sqlite-closed")
  const { stdout } = await runCommand(["upgrade", "--check", "--json", "--db", database.place.path], {})
  const told = JSON.parse(stdout)
  expect(told).toMatchObject({ version, faults: [], bytes: statSync(database.place.path).size })
  expect(told.pending).toHaveLength(since)
  expect(told.neededBytes).toBeGreaterThan(told.bytes)
})

test("a database that is up to date needs nothing; without --check nothing is done", async () => {
  await using folder = await temporaryFolder()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: folder.path })
  await types("create-user", "Ana", "ana@example.com", "her password", "sales")

  expect(await types("upgrade", "--check")).toMatchObject({
    status: 0,
    stdout: "rewards.db is up to date: version 0.1.0 changes nothing in it\n".replace("0.1.0", version),
  })
  expect(await types("upgrade")).toMatchObject({ status: 2, stderr: expect.stringContaining("give --check") })
  expect(await types("upgrade", "--check", "--db", "none.db")).toMatchObject({
    status: 1,
    stderr: "cannot use the database none.db: there is no such file\n",
  })
})

test("upgrade --check is refused when the disk does not hold the copy", async () => {
  await using database = await open(join(recordings, first), "sqlite-closed")
  const limited = 'trap "" XFSZ; ulimit -f 80; exec "$0" upgrade --check --db "$1"'
  const child = Bun.spawn(["sh", "-c", limited, executable, database.place.path], { stderr: "pipe", stdout: "ignore" })

  expect(await child.exited).toBe(1)
  expect(await new Response(child.stderr).text()).toContain("cannot write the backup")
})

test("upgrade --check copies nothing when the disk has no room for the copy", async () => {
  await using folder = await temporaryFolder()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: folder.path })
  await types("create-user", "Ana", "ana@example.com", "her password", "sales")
  const before = readdirSync(folder.path).sort()
  truncateSync(join(folder.path, "rewards.db"), 8e12) // it takes no room

  expect(await types("upgrade", "--check")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^cannot try the upgrade: a copy of 8000000\.0 MB and its changes need twice that room, and /,
    ),
  })
  expect(readdirSync(folder.path).sort()).toEqual(before)
})
