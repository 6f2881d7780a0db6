import { expect, test } from "bun:test"
import { checkSecondFactors } from "../../../src/cli/doctor/second-factor.ts"
import { loadConfig } from "../../../src/config/load.ts"

const found = (flags: Record<string, string>, without: readonly string[] = []) =>
  checkSecondFactors(
    loadConfig({ cwd: "/", configPath: null, env: {}, flags, underTest: true, needsSecret: false }),
    without,
  ).map(({ verdict, message }) => `${verdict} ${message}`)

const required = { "login.second_factor": "superusers" }
const named = { ...required, "server.base_url": "https://rewards.example.com" }

test("while nobody needs a second factor there is no finding", () => {
  expect(found({}, ["admin"])).toEqual([])
})

test("superusers without one are named, at most five", () => {
  expect(found(named)).toEqual(["ok every superuser has one"])
  expect(found(named, ["admin", "ana"])).toEqual(["warn superusers without one: admin, ana"])
  expect(found(named, ["a", "b", "c", "d", "e", "f", "g"])).toEqual([
    "warn superusers without one: a, b, c, d, e and 2 more",
  ])
})

test("an address for which browsers make no passkeys is a warning", () => {
  const warning = "warn browsers make no passkeys for this address; one-time codes remain"
  for (const url of ["http://rewards.example.com", "https://192.0.2.1", "https://[2001:db8::1]", undefined])
    expect(found({ ...required, ...(url !== undefined && { "server.base_url": url }) })).toEqual([warning])
  for (const url of ["http://localhost:8000", "https://rewards.example.com"])
    expect(found({ ...required, "server.base_url": url })).toEqual(["ok every superuser has one"])
})
