import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { checkProvider, checkSecondFactors } from "../../../src/cli/doctor/logins.ts"
import { loadConfig } from "../../../src/config/load.ts"
import type { ProviderSettings } from "../../../src/integrations/oidc/provider.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { type FalseProvider, startFalseProvider } from "../../support/false-provider.ts"

let provider: FalseProvider
beforeAll(async () => {
  provider = await startFalseProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const providerFound = async (more: Partial<ProviderSettings> = {}, aheadMs = 0) => {
  const settings = {
    issuer: provider.issuer,
    clientId: "rewards",
    clientSecret: "secret",
    scopes: "openid",
    departmentClaim: null,
    dutyClaim: null,
    trustsEmail: false,
    ca: null,
    ...more,
  }
  const findings = await checkProvider(settings, Date.now() + aheadMs)
  return findings.map(({ verdict, message, cure }) =>
    [verdict, message, cure].filter((part) => part !== null).join(" | "),
  )
}

test("a provider that answers is fine; without a provider nothing is reported", async () => {
  expect(await providerFound()).toEqual([`ok | ${provider.issuer} answers, and its clock agrees; it offers no log-out`])
  expect(await checkProvider(null, 0)).toEqual([])
})

test("a provider that cannot be reached or fails is bad", async () => {
  expect(await providerFound({ issuer: "http://127.0.0.1:1" })).toEqual([
    expect.stringMatching(/^bad \| http:\/\/127\.0\.0\.1:1 cannot be used: .+ \| check oidc\.issuer, the network/),
  ])
  provider.down(true)
  expect(await providerFound()).toEqual([
    expect.stringContaining("cannot be used: the provider answers with status 503 | "),
  ])
  provider.down(false)
  expect(await providerFound({ issuer: `${provider.issuer}/elsewhere` })).toEqual([
    expect.stringContaining("the provider answers with status 404 | check oidc.issuer: /.well-known/"),
  ])
})

test("a provider that names another issuer is bad, and the cure names that issuer", async () => {
  provider.makes({ metadata: () => ({ issuer: "https://login.example.com/realms/a" }) })
  expect(await providerFound()).toEqual([
    'bad | the provider calls itself "https://login.example.com/realms/a" | ' +
      'set oidc.issuer to "https://login.example.com/realms/a"',
  ])
  provider.makes({})
})

test("a clock difference to the provider is a warning, and bad where log-ins would fail", async () => {
  expect(await providerFound({}, -45_000)).toEqual([
    expect.stringMatching(/^warn \| the provider's clock differs by \d+ s;/),
  ])
  expect(await providerFound({}, 90_000)).toEqual([
    expect.stringMatching(/^bad \| the provider's clock differs by \d+ s;/),
  ])
})

test("a missing client secret is a warning; a certificate file that cannot be read is bad", async () => {
  expect(await providerFound({ clientSecret: null })).toEqual([
    expect.stringContaining("warn | there is no oidc.client_secret"),
  ])
  await using folder = await temporaryFolder()
  const ca = join(folder.path, "none.pem")
  expect(await providerFound({ ca })).toEqual([
    `bad | oidc.ca: ${ca} cannot be read: there is no such file | see oidc.ca`,
  ])
})

const factorsFound = (flags: Record<string, string>, without: readonly string[] = []) =>
  checkSecondFactors(
    loadConfig({ cwd: "/", configPath: null, env: {}, flags, underTest: true, needsSecret: false }),
    without,
  ).map(({ verdict, message }) => `${verdict} ${message}`)

const required = { "login.second_factor": "superusers" }
const named = { ...required, "server.base_url": "https://rewards.example.com" }

test("nothing is reported if nobody needs a second factor", () => {
  expect(factorsFound({}, ["admin"])).toEqual([])
})

test("superusers without a second factor are named, at most five", () => {
  expect(factorsFound(named)).toEqual(["ok every superuser has one"])
  expect(factorsFound(named, ["admin", "ana"])).toEqual(["warn superusers without one: admin, ana"])
  expect(factorsFound(named, ["a", "b", "c", "d", "e", "f", "g"])).toEqual([
    "warn superusers without one: a, b, c, d, e and 2 more",
  ])
})

test("an address for which browsers create no passkeys is a warning", () => {
  const warning = "warn browsers make no passkeys for this address; one-time codes remain"
  for (const url of ["http://rewards.example.com", "https://192.0.2.1", "https://[2001:db8::1]", undefined])
    expect(factorsFound({ ...required, ...(url !== undefined && { "server.base_url": url }) })).toEqual([warning])
  for (const url of ["http://localhost:8000", "https://rewards.example.com"])
    expect(factorsFound({ ...required, "server.base_url": url })).toEqual(["ok every superuser has one"])
})
