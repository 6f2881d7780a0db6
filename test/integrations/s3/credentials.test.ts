import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { createCredentials } from "../../../src/integrations/s3/credentials.ts"
import { createOffSite } from "../../../src/integrations/s3/off-site.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { failureOf } from "../../support/off-site.ts"
import { startS3 } from "../../support/s3.ts"

const s3 = await startS3()
const folder = await temporaryFolder()
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const noon = Date.UTC(2026, 0, 20, 12)
const keys = { Version: 1, AccessKeyId: "key", SecretAccessKey: "secret", SessionToken: "token" }
let printed = 0

/** A command that prints this, and notes that it ran. */
async function printing(output: unknown): Promise<{ command: string; runs: () => Promise<number> }> {
  const [file, log] = [join(folder.path, `printed-${++printed}`), join(folder.path, `runs-${printed}`)]
  await Bun.write(file, typeof output === "string" ? output : JSON.stringify(output))
  const runs = async () => (await Bun.file(log).text()).length
  return { command: `printf x >> ${log}; cat ${file}`, runs }
}

test("keys of a command are used until five minutes before their end", async () => {
  const { command, runs } = await printing({ ...keys, Expiration: new Date(noon + 3_600_000).toISOString() })
  let now = noon
  const credentials = createCredentials({ command }, () => now)

  expect(await credentials()).toEqual({ accessKey: "key", secretKey: "secret", sessionToken: "token" })
  now = noon + 54 * 60_000
  await credentials()
  expect(await runs()).toBe(1)
  now = noon + 55 * 60_000
  await credentials()
  expect(await runs()).toBe(2)
})

test("keys without an end are asked for again after a quarter of an hour", async () => {
  const { SessionToken: _, ...lasting } = keys
  const { command, runs } = await printing(lasting)
  let now = noon
  const credentials = createCredentials({ command }, () => now)
  expect(await credentials()).toEqual({ accessKey: "key", secretKey: "secret", sessionToken: null })
  now = noon + 15 * 60_000
  await credentials()
  expect(await runs()).toBe(2)
})

test.each([
  ["no JSON", "s3cret", "printed no JSON"],
  ["nothing", "", "printed no JSON"],
  ["null", "null", "printed no keys"],
  ["no secret", { AccessKeyId: "s3cret" }, "printed no keys"],
  ["an empty key", { ...keys, AccessKeyId: "" }, "printed no keys"],
  ["a token of another type", { ...keys, SessionToken: 5 }, "printed no keys"],
  ["keys that have ended", { ...keys, Expiration: "2020-01-01T00:00:00Z" }, "printed keys that have ended"],
  ["an end that is no time", { ...keys, Expiration: "soon" }, "printed keys that have ended"],
])("a command that prints %s is told, without what it printed", async (_, output, problem) => {
  const { command } = await printing(output)
  const failure = await failureOf(createCredentials({ command }, () => noon)())
  expect(failure.problem).toBe(`backup.s3_credentials_command ${problem}`)
  expect(failure.message).not.toContain("s3cret")
})

test("a command that fails is told with its own words", async () => {
  const failure = await failureOf(createCredentials({ command: "echo no role here >&2; exit 3" })())
  expect(failure.problem).toBe("backup.s3_credentials_command failed: status 3: no role here")
  expect(failure.cure).toContain("run it by hand as the user of the server")
})

test("what a command leaves running ends with it, and is not waited for", async () => {
  const { command } = await printing(keys)
  const file = join(folder.path, "pid")
  expect(await createCredentials({ command: `sleep 600 & echo $! > ${file}; ${command}` })()).toMatchObject({
    accessKey: "key",
  })
  await expectEnd(Number(await Bun.file(file).text()))
})

test.each(["", "trap '' TERM; "])(
  "a command that does not end is ended in time, with all that it started: %s",
  async (first) => {
    const file = join(folder.path, "pid")
    const command = `${first}sleep 600 & echo $! > ${file}; wait`
    const failure = await failureOf(createCredentials({ command }, Date.now, 200)())
    expect(failure.problem).toBe("backup.s3_credentials_command failed: no answer in 0.2 s")
    await expectEnd(Number(await Bun.file(file).text()))
  },
)

/** Waits until no process has this number. */
async function expectEnd(pid: number) {
  const lives = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  while (lives()) await Bun.sleep(20)
}

test("a command that gives no keys is not run again at once, since it may have hung", async () => {
  const { command, runs } = await printing("")
  const copies = createOffSite({ ...s3.settings, credentials: { command }, prefix: "role/" })
  expect(await failureOf(copies.list())).toMatchObject({ problem: "backup.s3_credentials_command printed no JSON" })
  expect(await runs()).toBe(1)
})

test("a backup is sent with the session token of the command", async () => {
  const { command } = await printing({ ...keys, AccessKeyId: "S3RVER", SecretAccessKey: "S3RVER" })
  const tokens = new Set<string | null>()
  s3.breaks(({ headers }) => {
    tokens.add(headers.get("x-amz-security-token"))
    return undefined
  })
  const copies = createOffSite({ ...s3.settings, credentials: { command }, prefix: "role/" })
  expect(await copies.list()).toEqual([])
  expect(tokens).toEqual(new Set(["token"]))
})
