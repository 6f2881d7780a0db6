import { afterAll, afterEach, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { createOffSite, type OffSiteSettings } from "../../../src/integrations/s3/off-site.ts"
import { createAuthority } from "../../support/authority.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { failureOf } from "../../support/off-site.ts"
import { s3Error, startS3 } from "../../support/s3.ts"

const s3 = await startS3()
const folder = await temporaryFolder()
afterEach(s3.repaired)
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const now = Date.UTC(2026, 0, 20, 9)
const at = (day: number) => `rewards-202601${String(day).padStart(2, "0")}T090000Z.db`
let prefixes = 0

/** Off-site backups under a prefix of their own. */
const offSite = (settings: Partial<OffSiteSettings> = {}) => {
  prefixes += 1
  return createOffSite({ ...s3.settings, prefix: `of-${prefixes}/`, ...settings })
}

/** A file of random bytes, which zstd cannot make smaller. */
async function someBackup(bytes = 30_000): Promise<string> {
  const file = join(folder.path, "some.db")
  const content = new Uint8Array(bytes)
  for (let start = 0; start < bytes; start += 65_536) crypto.getRandomValues(content.subarray(start, start + 65_536))
  await Bun.write(file, content)
  return file
}

const bytesOf = async (path: string) => new Uint8Array(await Bun.file(path).arrayBuffer())
const target = join(folder.path, "restored.db")

/** Another program that uses the bucket. */
const clientOf = () =>
  new Bun.S3Client({ endpoint: s3.endpoint, bucket: "backups", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" })

test("what comes back from the bucket is what was sent, in parts and encrypted", async () => {
  const file = await someBackup(20_000_000)
  const copies = offSite({ passphrase: "seven brown foxes" })

  const { backup, isNew } = await copies.upload({ file, name: at(5), now })
  expect(backup).toEqual({
    name: `${at(5)}.zst.age`,
    at: Date.UTC(2026, 0, 5, 9),
    bytes: expect.any(Number),
    isEncrypted: true,
  })
  expect(isNew).toBe(true)
  expect(await copies.list()).toEqual([backup])

  expect(await copies.download({ name: "latest", file: target, now })).toBe(backup.name)
  expect(await bytesOf(target)).toEqual(await bytesOf(file))
})

test("a backup that is there already is not sent again", async () => {
  const file = await someBackup()
  const copies = offSite()
  await copies.upload({ file, name: at(5), now })

  expect(await copies.upload({ file, name: at(5), now })).toMatchObject({ isNew: false })
})

test("only the newest stay; one of a wrong clock and other files are left alone", async () => {
  const file = await someBackup()
  const copies = offSite({ keep: 2, prefix: "kept/" })
  const others = clientOf()
  await others.write("kept/readme.txt", "mine")
  await copies.upload({ file, name: at(30), now }) // ten days ahead
  for (const day of [5, 6, 7]) await copies.upload({ file, name: at(day), now })

  expect((await copies.list()).map(({ name }) => name)).toEqual([at(6), at(7), at(30)].map((name) => `${name}.zst`))
  expect(await others.file("kept/readme.txt").text()).toBe("mine")
  expect(await copies.download({ name: "latest", file: target, now })).toBe(`${at(7)}.zst`)
})

test("an upload that was cut off is no backup, is made good by the next, and goes after a day", async () => {
  const file = await someBackup()
  const copies = offSite()
  let answered = 0
  s3.breaks(({ method }) => {
    if (method !== "GET") return undefined
    answered += 1
    return answered === 1 ? undefined : s3Error(503, "SlowDown") // the list works, reading back does not
  })
  expect((await failureOf(copies.upload({ file, name: at(5), now }))).problem).toContain(
    "the service failed (SlowDown)",
  )
  s3.repaired()
  expect(await copies.list()).toEqual([])

  expect(await copies.upload({ file, name: at(6), now: Date.now() })).toMatchObject({ isNew: true })
  expect(await copies.upload({ file, name: at(7), now: Date.now() + 2 * 86_400_000 })).toMatchObject({ isNew: true })
  expect(s3.requests.filter((line) => line.startsWith("DELETE"))).toContainEqual(
    expect.stringContaining(`${at(5)}.zst`),
  )
})

test("a copy that does not read back as it was sent is removed", async () => {
  const file = await someBackup()
  const copies = offSite()
  s3.changes((bytes, { method, url }) => {
    if (method === "GET" && url.includes(".zst")) bytes[100] = (bytes[100] ?? 0) ^ 1
    return bytes
  })

  const failure = await failureOf(copies.upload({ file, name: at(5), now }))
  expect(failure.problem).toContain("does not return what it was sent")
  s3.repaired()
  expect(await copies.list()).toEqual([])
})

test("a copy that is cut off while it is read back is removed", async () => {
  const file = await someBackup()
  const copies = offSite()
  s3.changes((bytes, { method, url }) => (method === "GET" && url.includes(".zst") ? bytes.slice(0, 20_000) : bytes))

  expect((await failureOf(copies.upload({ file, name: at(5), now }))).problem).toMatch(/20000 of \d+ bytes/)
  s3.repaired()
  expect(await copies.list()).toEqual([])
})

test("damage in the bucket is found before anything is restored", async () => {
  const file = await someBackup()
  const copies = offSite()
  await copies.upload({ file, name: at(5), now })
  s3.changes((bytes, { method, url }) => {
    if (method === "GET" && url.endsWith(".zst")) bytes[5000] = (bytes[5000] ?? 0) ^ 1
    return bytes
  })

  const { problem } = await failureOf(copies.download({ name: "latest", file: target, now }))
  expect(problem).toMatch(/is not what was stored there|is damaged and was not restored/)
})

test("a failure of a moment is waited out", async () => {
  const file = await someBackup()
  const copies = offSite()
  let failed = 0
  s3.breaks(({ method }) => {
    if (method !== "PUT" || failed === 2) return undefined
    failed += 1
    return s3Error(500, "InternalError")
  })

  expect(await copies.upload({ file, name: at(5), now })).toMatchObject({ isNew: true })
  expect(failed).toBe(2)
})

test("a slow service is waited for", async () => {
  const file = await someBackup()
  const copies = offSite()
  s3.breaks(async () => {
    await Bun.sleep(150)
    return undefined
  })

  expect(await copies.upload({ file, name: at(5), now })).toMatchObject({ isNew: true })
})

test.each([
  ["RequestTimeTooSkewed", 403, "the clock of this machine is wrong", "timedatectl"],
  ["SignatureDoesNotMatch", 403, "the secret does not belong to the key", "backup.s3_secret_key"],
  ["InvalidAccessKeyId", 403, "the service does not know the key", "backup.s3_access_key"],
  ["AccessDenied", 403, "the service denies this", "s3:PutObject"],
  ["ExpiredToken", 400, "the keys have ended", "backup.s3_session_token"],
  ["NoSuchBucket", 404, "there is no such bucket", "backup.s3_bucket"],
  ["QuotaExceeded", 507, "the storage is full", "backup.s3_keep"],
  ["TeaPot", 418, "the service failed (TeaPot)", "ask who runs the service of backup.s3_endpoint"],
])("%s is told with its cure", async (code, status, problem, cure) => {
  s3.breaks(() => s3Error(status, code))

  const failure = await failureOf(offSite().list())
  expect(failure.problem).toBe(`cannot use the bucket backups at ${s3.endpoint}: ${problem}`)
  expect(failure.cure).toContain(cure)
})

test("an address where nothing listens is told with its cure", async () => {
  const failure = await failureOf(offSite({ endpoint: "http://127.0.0.1:1" }).list())

  expect(failure.message).toBe(
    "cannot use the bucket backups at http://127.0.0.1:1: nothing listens there; correct backup.s3_endpoint, or wait " +
      "until the service is back",
  )
})

test("an encrypted backup needs its passphrase", async () => {
  const file = await someBackup()
  await offSite({ passphrase: "seven brown foxes", prefix: "sealed/" }).upload({ file, name: at(5), now })
  const latest = { name: "latest", file: target, now }

  expect(await failureOf(offSite({ prefix: "sealed/" }).download(latest))).toMatchObject({
    problem: `the backup ${at(5)}.zst.age is encrypted`,
  })
  const wrong = offSite({ prefix: "sealed/", passphrase: "seven green foxes" })
  expect(await failureOf(wrong.download(latest))).toMatchObject({
    problem: "backup.passphrase does not open this backup",
  })
})

test("an empty bucket and a name that is not there are told apart", async () => {
  expect(await failureOf(offSite().download({ name: "latest", file: target, now }))).toMatchObject({
    problem: expect.stringContaining("has no backup"),
    cure: "check backup.s3_bucket and backup.s3_prefix",
  })
  expect(await failureOf(offSite().download({ name: "../etc/passwd", file: target, now }))).toMatchObject({
    cure: "`rewards backup list` names those that there are",
  })
})

test("the checksum beside a backup is one that sha256sum reads", async () => {
  const file = await someBackup()
  await offSite({ prefix: "sums/" }).upload({ file, name: at(5), now })
  const others = clientOf()

  const content = await others.file(`sums/${at(5)}.zst`).bytes()
  expect(await others.file(`sums/${at(5)}.zst.sha256`).text()).toBe(
    `${createHash("sha256").update(content).digest("hex")}  ${at(5)}.zst\n`,
  )
})

test("the service's own words are shown with ours, on one line and not without an end", async () => {
  const says = (message: string) =>
    s3.breaks(
      () => new Response(`<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`, { status: 403 }),
    )
  says("Cannot upload files, storage cap exceeded.")
  const { problem, cure } = await failureOf(offSite().upload({ file: await someBackup(), name: at(5), now }))
  expect(problem).toEndWith(": the service denies this, and says: Cannot upload files, storage cap exceeded.")
  expect(cure).toStartWith("do as it says; otherwise allow the key")

  says(`one\n\u001b[31mtwo &amp; three ${"x".repeat(5000)}`)
  const long = await failureOf(offSite().list())
  expect(long.problem).toContain("and says: one [31mtwo & three xxx")
  expect(long.problem.length).toBeLessThan(500)
})

test("one 503 is retried, whatever was asked", async () => {
  const file = await someBackup()
  const copies = offSite({ keep: 1 })
  await copies.upload({ file, name: at(5), now })
  const met = new Set<string>()
  s3.breaks(({ method, url }) => {
    const asked = `${method} ${new URL(url).pathname}`
    if (met.has(asked)) return undefined
    met.add(asked)
    return s3Error(503, "SlowDown")
  })

  expect(await copies.upload({ file, name: at(6), now })).toMatchObject({ isNew: true, removed: 1 })
  expect(await copies.download({ name: "latest", file: target, now })).toBe(`${at(6)}.zst`)
  expect(new Set([...met].map((asked) => asked.split(" ", 1)[0]))).toEqual(new Set(["GET", "PUT", "DELETE"]))
})

test("an endpoint that names the bucket is told so", async () => {
  s3.breaks(() => s3Error(404, "NoSuchKey"))
  for (const settings of [{ endpoint: `${s3.endpoint}/backups` }, { endpoint: `${s3.endpoint}/backups/` }])
    expect((await failureOf(offSite(settings).list())).cure).toStartWith(
      "leave the name of the bucket out of backup.s3_endpoint, because it is added",
    )
  expect((await failureOf(offSite().list())).cure).not.toContain("leave the name of the bucket out")
})

test("a private authority is trusted by its file, and named where it lacks", async () => {
  const authority = await createAuthority()
  const { cert, key } = await authority.issue(["127.0.0.1"])
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert, key },
    fetch: () => new Response("<ListBucketResult></ListBucketResult>"),
  })
  const endpoint = `https://127.0.0.1:${server.port}`
  const ca = join(folder.path, "ca.pem")
  await Bun.write(ca, authority.pem)

  expect(await offSite({ endpoint, ca }).list()).toEqual([])
  expect((await failureOf(offSite({ endpoint }).list())).cure).toBe("name the file of its authority in backup.s3_ca")
  expect((await failureOf(offSite({ endpoint, ca: file("missing.pem") }).list())).message).toContain("backup.s3_ca")
})

const file = (name: string) => join(folder.path, name)
