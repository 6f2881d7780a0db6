import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { checkProvider } from "../../../src/cli/doctor/single-sign-on.ts"
import type { ProviderSettings } from "../../../src/oidc/provider.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { type FalseProvider, startFalseProvider } from "../../support/false-provider.ts"

let provider: FalseProvider
beforeAll(async () => {
  provider = await startFalseProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const found = async (more: Partial<ProviderSettings> = {}, aheadMs = 0) => {
  const settings = {
    issuer: provider.issuer,
    clientId: "rewards",
    clientSecret: "secret",
    scopes: "openid",
    departmentClaim: null,
    ca: null,
    ...more,
  }
  const findings = await checkProvider(settings, Date.now() + aheadMs)
  return findings.map(({ verdict, message, cure }) =>
    [verdict, message, cure].filter((part) => part !== null).join(" | "),
  )
}

test("a provider that answers is fine, and none is no finding", async () => {
  expect(await found()).toEqual([`ok | ${provider.issuer} answers, and its clock agrees; it has no log-out for others`])
  expect(await checkProvider(null, 0)).toEqual([])
})

test("one that cannot be reached, or fails, is bad", async () => {
  expect(await found({ issuer: "http://127.0.0.1:1" })).toEqual([
    expect.stringMatching(/^bad \| http:\/\/127\.0\.0\.1:1 cannot be used: .+ \| check oidc\.issuer, the network/),
  ])
  provider.down(true)
  expect(await found()).toEqual([expect.stringContaining("cannot be used: the provider answers with status 503 | ")])
  provider.down(false)
  expect(await found({ issuer: `${provider.issuer}/elsewhere` })).toEqual([
    expect.stringContaining("the provider answers with status 404 | check oidc.issuer: /.well-known/"),
  ])
})

test("one that calls itself otherwise is bad, and the cure is what it calls itself", async () => {
  provider.makes({ metadata: () => ({ issuer: "https://login.example.com/realms/a" }) })
  expect(await found()).toEqual([
    'bad | the provider calls itself "https://login.example.com/realms/a" | ' +
      'set oidc.issuer to "https://login.example.com/realms/a"',
  ])
  provider.makes({})
})

test("clocks that differ are a warning, and bad beyond what log-ins take", async () => {
  expect(await found({}, -45_000)).toEqual([expect.stringMatching(/^warn \| the provider's clock differs by \d+ s;/)])
  expect(await found({}, 90_000)).toEqual([expect.stringMatching(/^bad \| the provider's clock differs by \d+ s;/)])
})

test("a missing secret is a warning, and a file of authorities that cannot be read bad", async () => {
  expect(await found({ clientSecret: null })).toEqual([
    expect.stringContaining("warn | there is no oidc.client_secret"),
  ])
  await using folder = await temporaryFolder()
  const ca = join(folder.path, "none.pem")
  expect(await found({ ca })).toEqual([`bad | oidc.ca: ${ca} cannot be read: there is no such file | see oidc.ca`])
})
