import { expect, test } from "bun:test"
import { closeSync, copyFileSync, openSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createCompany } from "../durability/company.ts"
import { executable, folderOnDisk, runCommand } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { runFault } from "./round.ts"
import { buildShim, type Fault } from "./shim.ts"
import { runStart } from "./start.ts"

/** Each fault, and whether the server must exit. A single failed sync may be that of the watermark. */
const faults: [Pick<Fault, "kind" | "error" | "lasting">, ended: unknown][] = [
  [{ kind: "sync", error: "EIO", lasting: false }, expect.any(Boolean)],
  [{ kind: "sync", error: "EIO", lasting: true }, true],
  [{ kind: "sync", error: "ENOSPC", lasting: false }, expect.any(Boolean)],
  [{ kind: "sync", error: "ENOSPC", lasting: true }, true],
  [{ kind: "write", error: "EIO", lasting: false }, expect.any(Boolean)],
  [{ kind: "write", error: "EIO", lasting: true }, expect.any(Boolean)],
  [{ kind: "write", error: "ENOSPC", lasting: false }, false],
  [{ kind: "write", error: "ENOSPC", lasting: true }, false],
]
const anyUpTo = (most: number) => 1 + Math.floor(Math.random() * most)
const atRandom = (fault: (typeof faults)[number][0], most: number): Fault => ({
  ...fault,
  first: anyUpTo(most),
  torn: Math.random() < 0.5,
})

test("after a failed sync the server exits, and on a full disk it keeps serving; nothing acknowledged is lost", async () => {
  await using folder = await folderOnDisk()
  await using company = await createCompany()
  const shim = await buildShim(folder.path)

  for (const [kind, ended] of faults) {
    const fault = atRandom(kind, 80)
    expect({ fault, ...(await runFault(company, shim, fault)) }).toMatchObject({ fault, ended, wrong: [] })
  }
}, 120_000)

test("on a failing disk a command either succeeds or gives the reason in one line", async () => {
  await using folder = await folderOnDisk()
  await using company = await createCompany()
  const shim = await buildShim(folder.path)

  for (const [kind] of faults) {
    const fault = atRandom(kind, kind.kind === "sync" ? 6 : 40)
    expect({ fault, ...(await runStart(company, shim, fault)) }).toMatchObject({ fault, wrong: [] })
  }
}, 120_000)

test("if any sync of a backup fails, no backup is written and an earlier one is unchanged", async () => {
  await using folder = await folderOnDisk()
  await using company = await createCompany()
  const shim = await buildShim(folder.path)
  const backup = join(folder.path, "backup.db")
  await runCommand(["backup", backup, "--db", company.database])
  const earlier = readFileSync(backup)
  using disk = shim.disk(backup, join(folder.path, "control"))
  const backUp = async (first: number) => {
    disk.fail({ kind: "sync", error: "EIO", first, lasting: false, torn: false })
    const { status } = await runCommand(["backup", backup, "--db", company.database], { env: disk.env })
    return { status, failed: disk.failures().count }
  }

  let syncs = 0
  for (let made = await backUp(1); made.failed > 0; made = await backUp(syncs + 1)) {
    syncs += 1
    expect({ syncs, ...made }).toEqual({ syncs, status: 1, failed: 1 })
    expect(readFileSync(backup)).toEqual(earlier)
  }

  expect(syncs).toBeGreaterThan(1)
  expect(readFileSync(backup)).not.toEqual(earlier)
  expect(readdirSync(folder.path).sort()).toEqual(["backup.db", "control", "faults.so"])
}, 120_000)

test("a database or folder that cannot be written stops the start with one line and is unchanged", async () => {
  await using folder = await folderOnDisk()
  await using company = await createCompany()
  const shim = await buildShim(folder.path)
  const database = join(folder.path, "rewards.db")
  using disk = shim.disk(database, join(folder.path, "control"))

  // The database itself, then the files beside it.
  for (const first of [1, 2, 3]) {
    copyFileSync(company.database, database)
    disk.fail({ kind: "open", error: "EROFS", first, lasting: true, torn: false })
    const options = { cwd: folder.path, env: disk.env }
    const refused = await runCommand(["serve", "--port", "0"], options)

    expect({ first, ...refused }).toEqual({
      first,
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^cannot use the database rewards\.db: it[ ,].*(written|created); check that .*\n$/,
      ),
    })
    expect(readFileSync(database).equals(readFileSync(company.database))).toBe(true)
  }
}, 120_000)

test("when the disk becomes read-only, the server keeps reading or exits with one line; nothing acknowledged is lost", async () => {
  await using folder = await folderOnDisk()
  await using company = await createCompany()
  const shim = await buildShim(folder.path)

  for (const first of [1, anyUpTo(80), anyUpTo(2000)]) {
    const fault: Fault = { kind: "write", error: "EROFS", first, lasting: true, torn: false }
    expect({ fault, ...(await runFault(company, shim, fault)) }).toMatchObject({ fault, wrong: [] })
    expect({ fault, ...(await runStart(company, shim, fault)) }).toMatchObject({ fault, wrong: [] })
  }
}, 120_000)

test("requests are answered even if the log cannot be written", async () => {
  await using folder = await folderOnDisk()
  const port = freePort()
  const full = openSync("/dev/full", "w")
  const child = Bun.spawn([executable, "serve", "--port", String(port)], {
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: "a secret for tests alone" },
    stdio: ["ignore", "ignore", full],
  })
  closeSync(full)
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => null))) await Bun.sleep(10)

  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/user/`)))
  child.kill()

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(await child.exited).toBe(0)
})

test("a backup to a full standard output reports that and leaves no file", async () => {
  await using company = await createCompany()
  const full = openSync("/dev/full", "w")
  const child = Bun.spawn([executable, "backup", "-"], {
    cwd: dirname(company.database),
    env: { REWARDS_DB__PATH: company.database },
    stdio: ["ignore", full, "pipe"],
  })
  closeSync(full)

  const message = await new Response(child.stderr).text()

  expect(message).toBe("cannot write the backup to standard output: the disk is full; free space on it\n")
  expect(await child.exited).toBe(1)
  expect(readdirSync(dirname(company.database)).filter((name) => name.includes("partial"))).toEqual([])
})

test("without a C compiler the error says that one is needed", async () => {
  const why = "this test needs a C compiler, and there is no unheard-of-cc: install gcc or clang"

  await expect(buildShim("/nowhere", "unheard-of-cc")).rejects.toThrow(why)
})
