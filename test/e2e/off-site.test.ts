import { expect, test } from "bun:test"
import { join } from "node:path"
import { runCommand, secret, startServer, temporaryFolder } from "../support/executable.ts"
import { s3Error, startS3 } from "../support/s3.ts"

const schedule = { REWARDS_BACKUP__EVERY_HOURS: "24", REWARDS_BACKUP__PASSPHRASE: "seven brown foxes" }

test("a lost machine comes back from the passphrase and the keys alone", async () => {
  await using s3 = await startS3()
  await using lost = await temporaryFolder()
  const env = { ...s3.env, ...schedule }
  const onLost = (...args: readonly string[]) => runCommand(args, { cwd: lost.path, env })
  await onLost("create-user", "Ana", "ana@example.com", "her password", "sales")
  await onLost("transaction", "ana", "10")
  const server = await startServer({ cwd: lost.path, env })
  while (!server.stderr.some((line) => line.includes('"message":"backup uploaded"'))) await Bun.sleep(20)
  await server.stop("SIGKILL")

  await using found = await temporaryFolder()
  const onFound = (...args: readonly string[]) => runCommand(args, { cwd: found.path, env })
  expect(await onFound("restore", "s3:latest")).toMatchObject({
    status: 0,
    stdout: "Restored rewards.db with 1 transaction\n",
  })
  expect((await onFound("verify")).status).toBe(0)
  await using again = await startServer({ cwd: found.path, env: { ...env, REWARDS_SECURITY__SECRET_KEY: secret } })
  const body = new URLSearchParams({ username: "ana", password: "her password" })
  expect((await fetch(`${again.url}/token`, { method: "POST", body })).status).toBe(200)
})

test("an outage is seen in the log and /readyz, and the upload is made good when it ends", async () => {
  await using s3 = await startS3()
  s3.breaks(() => s3Error(503, "ServiceUnavailable"))
  await using server = await startServer({ env: { ...s3.env, ...schedule } })
  const logged = (message: string) => server.stderr.find((line) => line.includes(`"message":"${message}"`))

  while (logged("the upload of a backup failed; it is tried again") === undefined) await Bun.sleep(20)
  expect(logged("the upload of a backup failed; it is tried again")).toContain(
    "the service failed (ServiceUnavailable); wait; if it stays, ask who runs the service of backup.s3_endpoint",
  )
  expect(logged("backup written")).toBeDefined()
  const { checks } = (await (await fetch(`${server.url}/readyz`)).json()) as { checks?: Record<string, unknown> }
  if (checks) expect(checks).toMatchObject({ off_site: { reason: "none yet; the next one failed" } })

  const doctor = await runCommand(["doctor"], { cwd: server.cwd, env: { ...s3.env, ...schedule } })
  expect(doctor.stdout).toMatch(/bad +off-site +cannot use the bucket backups at .*: the service failed/)
})

test("pruning, listing and restoring work by name", async () => {
  await using s3 = await startS3()
  await using folder = await temporaryFolder()
  const types = (...args: readonly string[]) => runCommand(args, { cwd: folder.path, env: s3.env })
  await types("create-user", "Ana", "ana@example.com", "her password", "sales")

  const made = await types("backup", "--to", "s3", "--json")
  const { s3: name } = JSON.parse(made.stdout)
  expect(name).toMatch(/^rewards-\d{8}T\d{6}Z\.db\.zst$/)
  expect((await types("backup", "list")).stdout).toContain(`${name}  `)
  await types("create-user", "Bo", "bo@example.com", "his password", "sales")
  expect((await types("restore", `s3:${name}`)).status).toBe(0)
  expect((await types("user-list")).stdout).not.toContain("bo@example.com")
  expect(await Array.fromAsync(new Bun.Glob("*partial*").scan({ cwd: join(folder.path), dot: true }))).toEqual([])
})
