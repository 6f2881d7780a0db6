import { expect, test } from "bun:test"
import { generateKeyPairSync, X509Certificate } from "node:crypto"
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startPlainServer } from "../../../src/http/plain-server.ts"
import {
  type AcmeSettings,
  type CertificatePair,
  createCertificates,
  nextAttemptAt,
} from "../../../src/integrations/acme/renewal.ts"
import { type AcmeState, readState } from "../../../src/integrations/acme/state.ts"
import type { Resolve } from "../../../src/net/resolver.ts"
import { createLog } from "../../../src/support/log.ts"
import { type AcmeServerOptions, startAcmeServer } from "../../support/acme.ts"
import { secret, temporaryFolder } from "../../support/executable.ts"
import { freePort } from "../../support/free-port.ts"
import { until } from "../../support/until.ts"

const domains = ["rewards.example.com", "points.example.com"]
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

interface Circumstances {
  /** Whether the port at which names are checked is open. */
  readonly isOpen?: boolean
  /** Whether the server cannot use a new certificate. */
  readonly fails?: boolean
  readonly resolve?: Resolve
}

/** A machine with an authority, and the port at which names are checked. */
async function machine(options: Omit<AcmeServerOptions, "challengePort"> = {}) {
  const folder = await temporaryFolder()
  const challengePort = freePort()
  const authority = await startAcmeServer({ challengePort, ...options })
  const clock = { ms: Date.now() }
  const settings: AcmeSettings = {
    domains,
    directory: authority.directory,
    email: null,
    externalAccount: null,
    folder: join(folder.path, "state"),
  }
  let logged = ""

  return {
    authority,
    clock,
    settings,
    state: () => readState(settings.folder),
    lines: () =>
      logged
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    /** Starts the part of a server that gets certificates, and resolves when it has tried, or has nothing to do. */
    async start({ isOpen = true, fails = false, resolve, ...changed }: Partial<AcmeSettings> & Circumstances = {}) {
      const log = createLog((text) => {
        logged += text
      })
      const certificates = createCertificates(
        { ...settings, ...changed },
        { clock: () => clock.ms, log, ...(resolve && { resolve }) },
      )
      const { answerTo } = certificates
      const plain = isOpen
        ? startPlainServer({
            host: "127.0.0.1",
            port: challengePort,
            baseUrl: "https://rewards.example.com",
            answerTo,
            secret,
            now: () => clock.ms,
          })
        : null
      const used: CertificatePair[] = []
      const asked = authority.requests.length
      const due = nextAttemptAt(readState(settings.folder) ?? empty, { ...settings, ...changed }, clock.ms) <= clock.ms
      const unfollow = certificates.follow((pair) => {
        if (fails) throw new Error("the port is in use")
        used.push(pair)
      })
      const isOver = () => {
        const { attempt, certificate } = readState(settings.folder) ?? empty
        const isItsOwn = attempt?.at === clock.ms && attempt.directory === { ...settings, ...changed }.directory
        return isItsOwn && (attempt.failure !== null || (used.length > 0 && certificate?.cert === used[0]?.cert))
      }
      if (due) await until(isOver)
      log.flush()
      return {
        first: certificates.tls,
        used,
        requests: authority.requests.slice(asked),
        async stop() {
          unfollow()
          await plain?.stop()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await authority[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const empty: AcmeState = { accountKey: "", certificate: null, attempt: null }
const endOf = (pair: CertificatePair | undefined) => new X509Certificate(pair?.cert ?? "").validToDate.getTime()

test("a first start proves every name and gets a certificate; the next one asks for nothing", async () => {
  await using world = await machine()
  const first = await world.start({ email: "it@example.com" })
  expect(first.used).toHaveLength(1)
  const certificate = new X509Certificate(first.used[0]?.cert ?? "")
  expect(domains.map((name) => certificate.checkHost(name))).toEqual(domains)
  expect(world.authority.contacts()).toEqual([["mailto:it@example.com"]])
  expect(new X509Certificate(first.first.cert).checkHost("points.example.com")).toBe("points.example.com")
  await first.stop()

  const path = join(world.settings.folder, "acme.json")
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(world.settings.folder).mode & 0o777).toBe(0o700)
  const again = await world.start()
  expect(again.first.cert).toBe(first.used[0]?.cert ?? "")
  expect(again).toMatchObject({ used: [], requests: [] })
  await again.stop()
})

test("a certificate is renewed when a third of its time is left, by the same account", async () => {
  await using world = await machine()
  const first = await world.start()
  await first.stop()
  const begin = new X509Certificate(first.used[0]?.cert ?? "").validFromDate.getTime()
  const lifeMs = endOf(first.used[0]) - begin

  world.clock.ms = begin + (lifeMs * 2) / 3 - minuteMs
  const early = await world.start()
  expect(early.requests).toEqual([])
  await early.stop()

  world.clock.ms = begin + (lifeMs * 2) / 3 + minuteMs
  const renewed = await world.start()
  expect(renewed.used).toHaveLength(1)
  expect(renewed.used[0]?.key).not.toBe(first.used[0]?.key ?? "")
  expect(world.authority.contacts()).toHaveLength(1)
  await renewed.stop()
})

test.each([5, 10, 21, 60])("a certificate of %d minutes is renewed in time, also after a failure", async (minutes) => {
  await using world = await machine()
  const valid = () => ({ notBefore: new Date(world.clock.ms), notAfter: new Date(world.clock.ms + minutes * minuteMs) })
  world.authority.certifies(valid())
  await (await world.start()).stop()
  const next = () => nextAttemptAt(world.state() ?? empty, world.settings, world.clock.ms)
  const end = () => new X509Certificate(world.state()?.certificate?.cert ?? "").validToDate.getTime()
  for (const fails of [false, true, false]) {
    expect(end() - next()).toBeGreaterThan(minuteMs / 2)
    world.clock.ms = next()
    world.authority.certifies(valid())
    await (await world.start({ isOpen: !fails })).stop()
    expect(world.state()?.attempt?.failure === null).toBe(!fails)
  }
})

test("the server looks the name of the authority up itself", async () => {
  await using world = await machine()
  const directory = world.authority.directory.replace("127.0.0.1", "ca.example.test")
  const named = await world.start({ directory, resolve: async () => [{ address: "127.0.0.1", family: 4 }] })
  expect(named.used).toHaveLength(1)
  await named.stop()
})

test("a certificate that cannot be used before the next start is kept for it, and not asked for again", async () => {
  await using world = await machine()
  const broken = await world.start({ fails: true })
  expect(world.lines().at(-1)).toMatchObject({ level: "error", message: expect.stringContaining("the port is in use") })
  await broken.stop()
  world.clock.ms += hourMs
  const again = await world.start()
  expect(new X509Certificate(again.first.cert).checkHost("points.example.com")).toBe("points.example.com")
  expect(again.requests).toEqual([])
  await again.stop()
})

test("a nonce that the authority does not know is replaced by the one of its answer", async () => {
  await using world = await machine()
  let refusals = 0
  world.authority.refuses((step) => (step === "new-order" && ++refusals < 4 ? { type: "badNonce" } : undefined))
  const started = await world.start()
  expect(started.used).toHaveLength(1)
  expect(started.requests.filter((step) => step === "new-order")).toHaveLength(4)
  await started.stop()
})

test("an authority that knows no nonce at all is not asked for ever", async () => {
  await using world = await machine()
  world.authority.refuses((step) => (step === "new-account" ? { type: "badNonce" } : undefined))
  const started = await world.start()
  expect(started.requests).toEqual(Array.from({ length: 5 }, () => "new-account"))
  expect(world.lines().at(-1)).toMatchObject({ level: "error", message: expect.stringContaining("(badNonce)") })
  await started.stop()
})

test("an authority for customers gets the account that it gave; without one, the cure names the settings", async () => {
  await using world = await machine({ externalKeys: { "key-1": "c2VjcmV0IG9mIGtleSAx" } })
  const without = await world.start()
  expect(world.state()?.attempt?.failure).toMatchObject({
    problem: "the authority gives certificates only to its customers (an external account is required)",
    cure: "set server.acme_eab_kid and server.acme_eab_key to what it shows in your account",
  })
  await without.stop()

  world.clock.ms += hourMs
  const wrong = await world.start({ externalAccount: { kid: "key-1", key: "YW5vdGhlciBrZXk" } })
  expect(world.lines().at(-1)?.message).toContain("the external account is unknown")
  await wrong.stop()

  world.clock.ms += hourMs
  const right = await world.start({ externalAccount: { kid: "key-1", key: "c2VjcmV0IG9mIGtleSAx" } })
  expect(right.used).toHaveLength(1)
  await right.stop()
})

test("a closed port, another server at the name, and a missing DNS record are told apart", async () => {
  await using world = await machine()
  const closed = await world.start({ isOpen: false })
  expect(closed.used).toEqual([])
  expect(world.state()?.attempt?.failure).toMatchObject({
    problem: "rewards.example.com: the authority cannot connect to port 80 (Connection refused)",
    cure: "open port 80 in every firewall before this machine, and let it lead to server.http_port",
  })
  await closed.stop()

  for (const [type, problem] of [
    ["unauthorized", "points.example.com: another server answers on port 80 at its address"],
    ["dns", "points.example.com: the authority finds no address for the name in DNS (NXDOMAIN)"],
    ["caa", "points.example.com: a CAA record in DNS forbids this authority (NXDOMAIN)"],
  ] as const) {
    world.clock.ms += hourMs
    world.authority.refuses((step) =>
      step === "check of points.example.com" ? { type, detail: type === "unauthorized" ? "" : "NXDOMAIN" } : undefined,
    )
    const started = await world.start()
    expect(world.state()?.attempt?.failure?.problem).toBe(problem)
    expect(started.requests).not.toContain("finalize")
    await started.stop()
  }
})

test("a rate limit is waited for as long as the authority says, whoever starts the server again", async () => {
  await using world = await machine()
  world.authority.refuses((step) =>
    step === "new-order"
      ? { type: "rateLimited", status: 429, detail: "too many certificates", headers: { "retry-after": "172800" } }
      : undefined,
  )
  const limited = await world.start()
  expect(world.lines().at(-1)).toMatchObject({
    level: "error",
    message: expect.stringContaining("(rate limit) (too many certificates); wait"),
    nextAttemptAt: new Date(world.clock.ms + 2 * dayMs).toISOString(),
  })
  await limited.stop()

  world.authority.refuses()
  world.clock.ms += dayMs
  const early = await world.start()
  expect(early.requests).toEqual([])
  expect(world.lines().at(-1)).toMatchObject({ message: "there is no certificate yet, so browsers warn" })
  await early.stop()
  world.clock.ms += dayMs + minuteMs
  const later = await world.start()
  expect(later.used).toHaveLength(1)
  await later.stop()
})

test("an order that fails after the names were checked leaves no certificate", async () => {
  await using world = await machine()
  world.authority.refuses((step) => (step === "certify" ? { type: "serverInternal", detail: "try later" } : undefined))
  const failed = await world.start()
  expect(world.state()).toMatchObject({
    certificate: null,
    attempt: { failure: { problem: "the authority has a fault of its own (try later)" } },
  })
  await failed.stop()
})

test("a refused name of several is named", async () => {
  await using world = await machine()
  world.authority.refuses((step) =>
    step === "new-order"
      ? {
          type: "compound",
          subproblems: [
            {
              type: "urn:ietf:params:acme:error:rejectedIdentifier",
              detail: "forbidden by policy",
              identifier: { type: "dns", value: "points.example.com" },
            },
          ],
        }
      : undefined,
  )
  const started = await world.start()
  expect(world.state()?.attempt?.failure).toMatchObject({
    problem: "points.example.com: the authority gives no certificate for this name (forbidden by policy)",
    cure: "correct server.acme_domains",
  })
  await started.stop()
})

test("an address that is no authority, or where nobody answers, is told; it counts for no limit", async () => {
  await using world = await machine()
  const wrong = await world.start({ directory: world.authority.directory.replace("directory", "new-nonce") })
  expect(world.state()?.attempt?.failure).toMatchObject({
    problem: "server.acme_directory is not the directory of an ACME authority",
  })
  await wrong.stop()
  const directory = `http://127.0.0.1:${freePort()}/directory`
  const nobody = await world.start({ directory })
  expect(world.state()?.attempt?.failure).toMatchObject({
    problem: expect.stringMatching(/^the authority at 127\.0\.0\.1:\d+ cannot be used: /),
    isCounted: false,
  })
  expect(nextAttemptAt(world.state() ?? empty, { domains, directory }, world.clock.ms)).toBe(world.clock.ms + minuteMs)
  await nobody.stop()
})

test("nothing is asked for while the folder cannot be written, since no certificate could be kept", async () => {
  await using world = await machine()
  writeFileSync(world.settings.folder, "a file where the folder should be")
  expect(() => readState(world.settings.folder)).toThrow("server.state_dir: ")

  await using full = await machine()
  const folder = join(full.settings.folder, "deeper")
  writeFileSync(full.settings.folder, "")
  expect(() => createCertificates({ ...full.settings, folder }, { clock: Date.now, log: createLog(() => {}) })).toThrow(
    "server.state_dir: ",
  )
  expect(full.authority.requests).toEqual([])
})

test("a damaged file stops the start with the cure", async () => {
  await using world = await machine()
  const started = await world.start()
  await started.stop()
  const path = join(world.settings.folder, "acme.json")
  chmodSync(path, 0o600)
  writeFileSync(path, readFileSync(path, "utf8").slice(0, 100))
  expect(() => world.state()).toThrow(
    `server.state_dir: ${path} cannot be used: it is damaged; remove it, and the server begins again`,
  )
  expect(existsSync(path)).toBe(true)
})

test("a file that is damaged inside stops the start with the cure, and a whole one of each kind does not", async () => {
  await using world = await machine()
  await (await world.start()).stop()
  const path = join(world.settings.folder, "acme.json")
  const { accountKey, certificate, attempt } = world.state() ?? empty
  const failure = { problem: "a", cure: "b", notBefore: null, isCounted: true }
  const rsa = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }).privateKey
  const read = (state: unknown) => {
    writeFileSync(path, JSON.stringify(state))
    return () => world.state()
  }
  const whole = { accountKey, certificate, attempt }
  for (const state of [
    whole,
    { ...whole, certificate: null, attempt: null },
    { ...whole, attempt: { ...attempt, failure } },
  ])
    expect(read(state)()).toEqual(state as AcmeState)
  const asks = [{ domains: "a.example.com" }, { domains: [1] }, { directory: null }]
  const damaged = [
    ...[null, 1, "a", [], {}, { certificate, attempt }],
    ...[1, "key", rsa, accountKey.slice(0, 80)].map((key) => ({ ...whole, accountKey: key })),
    ...[undefined, 1, {}].map((one) => ({ ...whole, certificate: one })),
    ...[{ cert: "no" }, { cert: certificate?.cert.slice(0, 200) }, { key: "no" }, { key: accountKey }, ...asks].map(
      (part) => ({
        ...whole,
        certificate: { ...certificate, ...part },
      }),
    ),
    ...[undefined, "now"].map((one) => ({ ...whole, attempt: one })),
    ...[
      { at: "now" },
      { at: null },
      { failedBefore: null },
      { failedBefore: 0.5 },
      { failure: undefined },
      ...asks,
    ].map((part) => ({
      ...whole,
      attempt: { ...attempt, ...part },
    })),
    ...[{ problem: 1 }, { cure: null }, { notBefore: "later" }, { isCounted: 1 }].map((part) => ({
      ...whole,
      attempt: { ...attempt, failure: { ...failure, ...part } },
    })),
  ]
  for (const state of damaged)
    expect(read(state)).toThrow(
      `server.state_dir: ${path} cannot be used: it is damaged; remove it, and the server begins again`,
    )
})

test("attempts keep away from the limits of authorities: at most four in an hour, and half a day apart in the end", () => {
  const now = Date.UTC(2026, 10, 25)
  const asked = { domains, directory: "https://acme.example.com/directory" }
  const failure = { problem: "", cure: "", notBefore: null, isCounted: true }
  const pauseAfter = (failedBefore: number, isCounted = true) =>
    (nextAttemptAt(
      { ...empty, attempt: { at: now, ...asked, failedBefore, failure: { ...failure, isCounted } } },
      asked,
      now,
    ) -
      now) /
    minuteMs
  expect([0, 1, 2, 3, 6, 60].map((failed) => pauseAfter(failed))).toEqual([15, 30, 60, 120, 720, 720])
  expect([0, 1, 2].map((failed) => pauseAfter(failed, false))).toEqual([1, 2, 4])

  const underWay = { at: now, ...asked, failedBefore: 0, failure: null }
  const next = (attempt: AcmeState["attempt"], wanted = asked, at = now) =>
    nextAttemptAt({ ...empty, attempt }, wanted, at)
  expect(next(underWay)).toBe(now + 15 * minuteMs)
  expect(next(underWay, { ...asked, domains: ["corrected.example.com"] })).toBe(0)
  expect(next(underWay, asked, now - hourMs)).toBe(0)
  expect(next({ ...underWay, failure: { ...failure, notBefore: now + dayMs } })).toBe(now + dayMs)
})
