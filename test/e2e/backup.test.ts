import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { probeHeader, signProbe } from "../../src/http/probe.ts"
import { verifyFile } from "../../src/storage/sqlite/maintenance/verify.ts"
import { executable, runCommand, secret, startServer, temporaryFolder } from "../support/executable.ts"

/** A folder with a database of one transaction. */
async function company() {
  const folder = await temporaryFolder()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: folder.path })
  await types("create-user", "Ana", "ana@example.com", "her password", "sales")
  await types("transaction", "ana", "10")
  return { ...folder, types, database: join(folder.path, "rewards.db") }
}

test("a backup to standard output is complete, and leaves no file beside the database", async () => {
  await using folder = await company()
  const { path } = folder

  const child = Bun.spawn(["sh", "-c", '"$0" backup - > poured.db', executable], { cwd: path })
  expect(await child.exited).toBe(0)
  expect(readdirSync(path).sort()).toEqual([".rewards.db.lock", "poured.db", "rewards.db", "rewards.db.mark"])
  expect(await verifyFile({ path: join(path, "poured.db"), accepts: false })).toEqual({ transactions: 1, findings: [] })
})

test("an interrupted backup leaves no file", async () => {
  await using folder = await company()

  const child = Bun.spawn(["sh", "-c", '"$0" backup - | head -c 5000 > /dev/null', executable], {
    cwd: folder.path,
    stderr: "pipe",
  })

  expect(await new Response(child.stderr).text()).toBe("")
  expect(readdirSync(folder.path).sort()).toEqual([".rewards.db.lock", "rewards.db", "rewards.db.mark"])
})

test("a full disk leaves an earlier backup unchanged and no other file", async () => {
  await using folder = await company()
  const backup = join(folder.path, "backup.db")
  await folder.types("backup", "backup.db")
  const earlier = readFileSync(backup)

  // The system refuses to write beyond this size, in blocks of 512 or 1,024 bytes: less than the database has, and more
  // than the 32 KiB that SQLite keeps beside it.
  const child = Bun.spawn(["sh", "-c", 'trap "" XFSZ; ulimit -f 80; exec "$0" backup backup.db', executable], {
    cwd: folder.path,
    stderr: "pipe",
  })

  expect(await new Response(child.stderr).text()).toBe(
    `cannot write the backup ${backup}: the disk cannot be read or written; see the system log\n`,
  )
  expect(await child.exited).toBe(1)
  expect(readFileSync(backup)).toEqual(earlier)
  expect(readdirSync(folder.path).sort()).toEqual([".rewards.db.lock", "backup.db", "rewards.db", "rewards.db.mark"])
  expect(existsSync(`${folder.database}-journal`)).toBe(false)
})

test("a server with a schedule makes backups in a separate process and logs them", async () => {
  await using server = await startServer({ env: { REWARDS_BACKUP__EVERY_HOURS: "1", REWARDS_BACKUP__DIR: "kept" } })
  const { cwd, stderr } = server
  const logged = (message: string) => stderr.map((line) => JSON.parse(line)).find((line) => line.message === message)
  while (!logged("backup written")) await Bun.sleep(20)

  const { file } = logged("backup written")
  expect(file).toMatch(new RegExp(`^${cwd}/kept/rewards-\\d{8}T\\d{6}Z\\.db$`))
  expect(readdirSync(join(cwd, "kept"))).toEqual([basename(file)])
  expect(await verifyFile({ path: file, accepts: false })).toEqual({ transactions: 0, findings: [] })
  const headers = { [probeHeader]: signProbe(secret, Date.now()) }
  expect(await (await fetch(`${server.url}/readyz`, { headers })).json()).toMatchObject({
    checks: { backup: { ok: true, reason: "the last one 0 h ago" } },
  })
})

test("if scheduled backups fail, the server logs the reason with its cure and keeps serving", async () => {
  await using folder = await temporaryFolder()
  await Bun.write(join(folder.path, "kept"), "a file")
  await using server = await startServer({
    cwd: folder.path,
    env: { REWARDS_BACKUP__EVERY_HOURS: "1", REWARDS_BACKUP__DIR: "kept/deep" },
  })
  const failure = () => server.stderr.map((line) => JSON.parse(line)).find(({ level }) => level === "error")
  while (!failure()) await Bun.sleep(20)

  expect(failure()).toMatchObject({
    message: "the scheduled backup failed; it is tried again in ten minutes",
    reason: expect.stringContaining(join(folder.path, "kept/deep")),
  })
  expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: "alive" })
})

test("a scheduled backup of a damaged database logs the same error as the command", async () => {
  await using folder = await company()
  {
    using client = new Database(folder.database)
    client.run("UPDATE balances SET value = 11 WHERE user_id = 2")
  }
  await using server = await startServer({
    cwd: folder.path,
    env: { REWARDS_BACKUP__EVERY_HOURS: "1", REWARDS_DB__VERIFY_MB: "0" },
  })
  const failure = () => server.stderr.map((line) => JSON.parse(line)).find(({ level }) => level === "error")
  while (!failure()) await Bun.sleep(20)

  expect(failure()).toMatchObject({
    reason:
      "the copy is damaged and was not kept: the balance of ana is 11 instead of 10 (and 1 more); look with " +
      "`rewards verify --db rewards.db`",
  })
  expect(readdirSync(join(folder.path, "backups"))).toEqual([])
})
