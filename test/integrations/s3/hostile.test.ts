import { afterAll, afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Encrypter } from "age-encryption"
import { createOffSite, type OffSiteSettings } from "../../../src/integrations/s3/off-site.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { startFalseS3 } from "../../support/false-s3.ts"
import { failureOf } from "../../support/off-site.ts"

const folder = await temporaryFolder()
let s3 = startFalseS3()
beforeEach(() => {
  s3 = startFalseS3()
})
afterEach(() => s3[Symbol.asyncDispose]())
afterAll(() => folder[Symbol.asyncDispose]())

const day = 86_400_000
const now = Date.UTC(2026, 0, 20, 9)
const name = (dayOfMonth: number, stem = "rewards") => `${stem}-202601${String(dayOfMonth).padStart(2, "0")}T090000Z.db`
const passphrase = "seven brown foxes"
const file = join(folder.path, "restored.db")
const latest = { name: "latest", file, now }

const offSite = (settings: Partial<OffSiteSettings> = {}) => createOffSite({ ...s3.settings, ...settings })

async function backup(text = "a database"): Promise<string> {
  const path = join(folder.path, "some.db")
  await Bun.write(path, text)
  return path
}

const zipped = (text: string | Uint8Array<ArrayBuffer>) => new Uint8Array(Bun.zstdCompressSync(text))

async function encrypted(content: Uint8Array, workFactor = 1): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  return encrypter.encrypt(content)
}

/** A body that never ends. */
const endless = (text: string) =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(text.repeat(1000))),
    }),
  )

test("servers that share a bucket neither see nor remove what another one has stored, whatever their prefixes", async () => {
  const some = await backup()
  const prefixes = ["", "prod", "prod2", "staging-", "rewards", "rewards-", "a/rewards-"]
  for (const prefix of prefixes)
    for (const dayOfMonth of [5, 6])
      await offSite({ prefix, keep: 2 }).upload({ file: some, name: name(dayOfMonth), now })
  await offSite({ stem: "other", keep: 2 }).upload({ file: some, name: name(5, "other"), now })
  await offSite({ prefix: "prod", keep: 1 }).upload({ file: some, name: name(7), now })

  for (const prefix of prefixes)
    expect([prefix, (await offSite({ prefix }).list()).map((one) => one.name)]).toEqual([
      prefix,
      (prefix === "prod" ? [7] : [5, 6]).map((dayOfMonth) => `${name(dayOfMonth)}.zst`),
    ])
  expect(s3.keys()).toContain(`prod/${name(7)}.zst`)
  expect(s3.keys()).toContain(`${name(5, "other")}.zst`)
})

test("what was stored under a prefix that was no folder yet is listed and restored, and never removed", async () => {
  s3.holds(`prod${name(4)}.zst`, zipped("the fourth"), 1)
  s3.holds(`prod2${name(4)}.zst`, zipped("of another server"), 1)
  const copies = offSite({ prefix: "prod", keep: 1 })

  expect((await copies.list()).map((one) => one.name)).toEqual([`${name(4)}.zst`])
  await copies.download(latest)
  expect(readFileSync(file, "utf8")).toBe("the fourth")

  await copies.upload({ file: await backup(), name: name(5), now })
  expect(s3.keys()).toEqual([`prod/${name(5)}.zst`, `prod2${name(4)}.zst`, `prod${name(4)}.zst`])
})

test("a server whose prefix begins another one's database removes nothing of it, and its latest is its own", async () => {
  const other = offSite({ stem: "staging-rewards", keep: 2 })
  const mine = offSite({ prefix: "staging-", keep: 1 })
  const stored = async (copies: typeof mine, text: string, of: string) =>
    copies.upload({ file: await backup(text), name: of, now })
  for (const dayOfMonth of [5, 8]) await stored(other, "of the other", name(dayOfMonth, "staging-rewards"))
  for (const dayOfMonth of [6, 7]) await stored(mine, "mine", name(dayOfMonth))
  s3.objects.set(`${name(4, "staging-rewards")}.zst`, { content: zipped("cut off"), storedAt: 0 })
  s3.uploads.set(`${name(3, "staging-rewards")}.zst`, 0)
  await stored(mine, "mine", name(7))

  expect(s3.keys()).toEqual([
    `staging-/${name(7)}.zst`,
    ...[4, 5, 8].map((dayOfMonth) => `${name(dayOfMonth, "staging-rewards")}.zst`),
  ])
  expect(s3.uploads.size).toBe(1)
  await mine.download(latest)
  expect(readFileSync(file, "utf8")).toBe("mine")
})

test("a backup of a name that is not this database's is not uploaded", async () => {
  const { problem, cure } = await failureOf(offSite().upload({ file: await backup(), name: name(5, "other"), now }))

  expect(problem).toBe(`${name(5, "other")} is not the name of a backup of rewards.db`)
  expect(cure).toContain("rewards-20260105T090000Z.db")
  expect(s3.keys()).toEqual([])
})

test("with a passphrase a backup that is not encrypted is restored only on demand, and latest never takes it", async () => {
  s3.holds(`${name(5)}.zst.age`, await encrypted(zipped("mine")))
  s3.holds(`${name(6)}.zst`, zipped("of a stranger"))
  const copies = offSite({ passphrase })

  expect(await copies.download(latest)).toBe(`${name(5)}.zst.age`)
  expect(readFileSync(file, "utf8")).toBe("mine")
  const { problem, cure } = await failureOf(copies.download({ ...latest, name: `${name(6)}.zst` }))
  expect(problem).toContain("is not encrypted, although backup.passphrase is set")
  expect(cure).toContain("--unencrypted")
  await copies.download({ ...latest, name: `${name(6)}.zst`, allowsUnencrypted: true })
  expect(readFileSync(file, "utf8")).toBe("of a stranger")

  s3.objects.delete(`${name(5)}.zst.age`)
  expect((await failureOf(copies.download(latest))).problem).toContain("has no backup that is encrypted")
  expect((await copies.newest(now))?.name).toBeUndefined()
})

test("what a stranger stores does not count when old backups are removed", async () => {
  s3.holds(`${name(3)}.zst.age`, await encrypted(zipped("mine")), 1)
  s3.holds(`${name(4)}.zst.age`, await encrypted(zipped("mine")), 2)
  for (const dayOfMonth of [6, 7, 8]) s3.holds(`${name(dayOfMonth)}.zst`, zipped("of a stranger"), 3)
  s3.holds(`${name(2)}.zst`, zipped("before there was a passphrase"), 0)

  await offSite({ passphrase, keep: 2 }).upload({ file: await backup(), name: name(9), now })

  expect(s3.keys()).toEqual([
    `${name(4)}.zst.age`,
    ...[6, 7, 8].map((dayOfMonth) => `${name(dayOfMonth)}.zst`),
    `${name(9)}.zst.age`,
  ])
})

test("an old backup that is uploaded by hand stays until as many others as stay were uploaded", async () => {
  const some = await backup()
  const copies = offSite({ keep: 2 })
  for (const dayOfMonth of [10, 11]) s3.holds(`${name(dayOfMonth)}.zst`, zipped("a database"), dayOfMonth)

  expect(await copies.upload({ file: some, name: name(1), now })).toMatchObject({ isNew: true, removed: 0 })
  expect(s3.keys()).toEqual([1, 10, 11].map((dayOfMonth) => `${name(dayOfMonth)}.zst`))
  await copies.upload({ file: some, name: name(12), now })
  expect(s3.keys()).toEqual([1, 11, 12].map((dayOfMonth) => `${name(dayOfMonth)}.zst`))
  await copies.upload({ file: some, name: name(13), now })
  expect(s3.keys()).toEqual([12, 13].map((dayOfMonth) => `${name(dayOfMonth)}.zst`))
})

test("a small archive of a large file is refused before it fills the disk", async () => {
  const bomb = zipped(new Uint8Array(400_000_000))
  expect(bomb.byteLength).toBeLessThan(100_000)
  s3.holds(`${name(5)}.zst.age`, await encrypted(bomb))
  s3.holds(`${name(6)}.zst`, bomb)

  for (const settings of [{}, { passphrase }]) {
    expect((await failureOf(offSite(settings).download(latest))).problem).toContain("is damaged and was not restored")
    expect(existsSync(file) ? statSync(file).size : 0).toBeLessThan(30_000_000)
  }
})

test("an archive that asks for much memory or time is refused", async () => {
  const copies = offSite({ passphrase })
  const plain = Buffer.from(await encrypted(zipped("mine"))).toString("latin1")
  const as = (change: string) => s3.holds(`${name(5)}.zst.age`, Buffer.from(change, "latin1"))
  const refusal = "the backup is not encrypted as rewards does it, and was not restored"

  for (const factor of ["19", "20", "99"]) {
    as(plain.replace(/^(-> scrypt \S+) 1$/m, `$1 ${factor}`))
    expect((await failureOf(copies.download(latest))).problem).toBe(refusal)
  }
  as(`age-encryption.org/v1\n${"-> scrypt ".repeat(100_000)}`)
  expect((await failureOf(copies.download(latest))).problem).toBe(refusal)
  as("a database")
  expect((await failureOf(copies.download(latest))).problem).toBe(refusal)
})

test("a list without an end is given up", async () => {
  const page = (next: string) =>
    new Response(
      `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken></ListBucketResult>`,
    )
  const lists: [string, (count: number) => Response][] = [
    ["the same token", () => page("again")],
    ["tokens in turn", (count) => page(String(count % 3))],
    ["ever new tokens", (count) => page(String(count))],
    ["no token", () => page("")],
    [
      "more names than asked for",
      (count) =>
        new Response(
          `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${count}</NextContinuationToken>${"<Contents><Key>rewards-</Key></Contents>".repeat(60_000)}`,
        ),
    ],
  ]
  for (const [what, answer] of lists) {
    let count = 0
    s3.answers(() => {
      count += 1
      return answer(count)
    })
    expect([what, (await failureOf(offSite().list())).problem]).toEqual([
      what,
      expect.stringContaining("without an end"),
    ])
    expect(count).toBeLessThan(what === "more names than asked for" ? 4 : 200)
  }
})

test("an answer that is no list is not taken for an empty bucket", async () => {
  for (const answer of ["", "<html>Please log in</html>", "{}"]) {
    s3.answers(() => new Response(answer))
    expect((await failureOf(offSite().list())).problem).toContain("its answer is no list")
  }
  s3.answers(() => new Response("<Error><Code>AccessDenied</Code></Error>"))
  expect((await failureOf(offSite().list())).problem).toContain("the service denies this")
})

test("a copy is sent to nobody to whom an answer leads, and no answer to it fills the memory", async () => {
  const some = await backup()
  const upload = () => offSite().upload({ file: some, name: name(6), now })
  const toPut = (answer: () => Response) =>
    s3.answers(({ method, url }) => (method === "PUT" && !url.includes("elsewhere") ? answer() : undefined))

  toPut(() => new Response(null, { status: 307, headers: { location: `${s3.endpoint}/backups/elsewhere` } }))
  expect((await failureOf(upload())).problem).toContain("status 307")
  for (const status of [200, 403]) {
    toPut(() => new Response(endless("<Code>").body, { status }))
    expect((await failureOf(upload())).problem).toContain("an answer has more than")
  }
  toPut(() => new Response("<Error><Code>InternalError</Code></Error>"))
  expect((await failureOf(upload())).problem).toContain("the service failed (InternalError)")
  expect(s3.keys()).toEqual([])
})

test("an archive of nothing but frames without content is given up, whatever size is listed", async () => {
  s3.holds(`${name(5)}.zst`, zipped("a database"))
  const frame = Buffer.alloc(65_544)
  frame.writeUInt32LE(0x184d2a50, 0) // a frame to skip
  frame.writeUInt32LE(65_536, 4)
  let sent = 0
  const frames = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += frame.byteLength
        controller.enqueue(frame)
      },
    })
  for (const [size, problem] of [
    ["999999999999999", "is damaged and was not restored"],
    ["1e999", "is longer than the 0 bytes"],
  ] as const) {
    sent = 0
    s3.answers(({ url }) => {
      if (url.includes("list-type"))
        return new Response(
          `<ListBucketResult><Contents><Key>${name(5)}.zst</Key><Size>${size}</Size></Contents><Contents><Key>${name(5)}.zst.sha256</Key></Contents></ListBucketResult>`,
        )
      return url.endsWith(".zst") ? new Response(frames()) : undefined
    })
    expect((await failureOf(offSite().download(latest))).problem).toContain(problem)
    expect(sent).toBeLessThan(40_000_000)
  }
})

test("no answer fills the memory: lists, errors, checksums, what is read back, objects longer than listed", async () => {
  const some = await backup()
  s3.holds(`${name(5)}.zst`, zipped("a database"))
  const lies: [RegExp, Response["status"], () => Promise<unknown>, string][] = [
    [/list-type/, 200, () => offSite().list(), "an answer has more than"],
    [/list-type/, 500, () => offSite().list(), "an answer has more than"],
    [/sha256$/, 200, () => offSite().download(latest), "is longer than the 1000 bytes"],
    [/\.zst$/, 200, () => offSite().download(latest), "is longer than the"],
    [/\.zst$/, 200, () => offSite().upload({ file: some, name: name(6), now }), "does not return what it was sent"],
  ]
  for (const [url, status, work, problem] of lies) {
    s3.answers((request) =>
      request.method === "GET" && url.test(request.url)
        ? new Response(endless("<Contents><Key>&#x26;").body, { status })
        : undefined,
    )
    expect((await failureOf(work())).problem).toContain(problem)
  }
  expect(s3.keys()).toEqual([`${name(5)}.zst`])
})

test("a list of hostile entries is read in a moment, and only one's own names are taken from it", async () => {
  const hostile = [
    "<Contents>".repeat(100_000),
    ...["../../etc/passwd", `x/${name(5)}.zst`, `${name(5)}.zst.age.sh`, `rewards-20261399T999999Z.db.zst`].map(
      (key) => `<Contents><Key>${key}</Key><Size>-1</Size><LastModified>never</LastModified></Contents>`,
    ),
    `<Contents><Key>rewards&#45;20260105T090000Z.db.zst&#x2e;sha256</Key></Contents>`,
    `<Contents><Key>${name(5)}.zst</Key><Size>many</Size></Contents>`,
  ].join("")
  s3.answers(() => new Response(`<ListBucketResult>${hostile}<IsTruncated>false</IsTruncated></ListBucketResult>`))
  const begun = performance.now()

  expect(await offSite().list()).toEqual([
    { name: `${name(5)}.zst`, at: Date.UTC(2026, 0, 5, 9), bytes: 0, isEncrypted: false },
  ])
  expect(performance.now() - begun).toBeLessThan(2000)
})

test("an answer that leads elsewhere or is compressed is not followed", async () => {
  s3.answers(() => new Response(null, { status: 302, headers: { location: `${s3.endpoint}/elsewhere` } }))
  expect((await failureOf(offSite().list())).problem).toContain("status 302")
  expect(s3.requests.filter((line) => line.includes("elsewhere"))).toEqual([])

  s3.answers(() => new Response(Bun.gzipSync("<R></R>"), { headers: { "content-encoding": "gzip" } }))
  expect((await failureOf(offSite().list())).problem).toContain("its answer is no list")
})

test("an object without checksum is named as such, is not restored, and goes after a day", async () => {
  s3.objects.set(`${name(5)}.zst`, { content: zipped("a database"), storedAt: now - 2 * day })
  s3.objects.set(`${name(6)}.zst`, { content: zipped("a database"), storedAt: now })
  const copies = offSite()

  expect([await copies.list(), (await copies.unfinished()).map((one) => one.name)]).toEqual([
    [],
    [`${name(5)}.zst`, `${name(6)}.zst`],
  ])
  const { problem } = await failureOf(copies.download({ ...latest, name: `${name(5)}.zst` }))
  expect(problem).toContain("has no checksum")
  await copies.upload({ file: await backup(), name: name(7), now })
  expect(s3.keys()).toEqual([`${name(6)}.zst`, `${name(7)}.zst`])
})

test("own uploads in parts that were never finished are ended after a day, and nobody else's", async () => {
  s3.uploads.set(`prod/${name(5)}.zst`, now - 2 * day)
  s3.uploads.set(`prod/${name(6)}.zst`, now)
  s3.uploads.set(`prod/rewards-notes.txt`, now - 2 * day)
  s3.uploads.set(`prod2/${name(5)}.zst`, now - 2 * day)

  await offSite({ prefix: "prod" }).upload({ file: await backup(), name: name(7), now })

  expect([...s3.uploads.keys()]).toEqual([`prod/${name(6)}.zst`, "prod/rewards-notes.txt", `prod2/${name(5)}.zst`])
})

test("a service that cannot name unfinished uploads takes backups all the same", async () => {
  s3.answers((request) =>
    request.url.includes("uploads=")
      ? new Response("<Error><Code>NotImplemented</Code></Error>", { status: 501 })
      : undefined,
  )

  expect(await offSite().upload({ file: await backup(), name: name(7), now })).toMatchObject({ isNew: true })
})

test("the name of the service is looked up in two seconds at most, before anything is sent", async () => {
  const { endpoint } = s3.settings
  const named = { ...s3.settings, endpoint: endpoint.replace("127.0.0.1", "s3.example.test") }
  const found = createOffSite(named, async () => [{ address: "127.0.0.1", family: 4 }])
  expect(await found.list()).toEqual(await offSite().list())
  const silent = createOffSite(named, async () => {
    throw Object.assign(new Error("silent"), { code: "EAI_AGAIN" })
  })
  const failure = await failureOf(silent.upload({ file: await backup(), name: name(1), now }))
  expect(failure).toMatchObject({
    problem: expect.stringContaining("the name cannot be looked up"),
    cure: "check that this machine reaches its DNS server, and the name in backup.s3_endpoint",
  })
})
