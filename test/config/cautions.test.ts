import { expect, test } from "bun:test"
import { cautions } from "../../src/config/cautions.ts"
import { load } from "./load.ts"

/** What production takes, behind a proxy on this machine. */
const sound = {
  "server.profile": "production",
  "security.password_min_length": "8",
  "server.base_url": "https://rewards.example.com",
  "server.trusted_proxies": "127.0.0.1",
  "email.debug_mode": "false",
  "email.smtp_server": "smtp.example.com",
}

const about = (flags: Parameters<typeof load>[0] & {}) => cautions(load(flags)).map((caution) => caution.about)

test("settings that are safe give no caution, with a proxy or with a certificate of their own", () => {
  expect(about({ flags: sound })).toEqual([])
  expect(
    about({ flags: { ...sound, "server.trusted_proxies": "", "server.tls_cert": "c.pem", "server.tls_key": "k.pem" } }),
  ).toEqual([])
  expect(about({ flags: { ...sound, "server.base_url": undefined, "server.trusted_proxies": "" } })).toEqual([])
})

test("development says what production would refuse, in one sentence each", () => {
  const env = { REWARDS_SECURITY__SECRET_KEY: "short" }
  expect(cautions(load({ env })).map(({ about, problem, cure }) => `${about}: ${problem}; ${cure}`)).toEqual([
    "security.secret_key: production refuses to start with it; set at least 32 bytes, so that nobody can guess it",
    "email.debug_mode: production refuses to start with it; set false, so that reset tokens are sent instead of written to a file",
    "security.password_min_length: production refuses to start with it; set at least 8, so that passwords are not guessed",
    'server.profile: in development nothing unsafe stops the start; set "production"',
  ])
})

for (const [setting, given] of [
  ["server.base_url", { "server.base_url": "http://rewards.example.com" }],
  ["server.base_url", { "server.base_url": undefined, "server.host": "0.0.0.0" }],
  ["server.trusted_proxies", { "server.trusted_proxies": "" }],
  ["server.trusted_proxies", { "server.trusted_proxies": "127.0.0.1,0.0.0.0/0" }],
  ["server.trusted_proxies", { "server.trusted_proxies": "::/0" }],
  ["stream.access", { "recognition.feed": "own" }],
  ["stream.wall_key", { "recognition.feed": "own", "stream.access": "auth", "stream.wall_key": "k".repeat(24) }],
  ["metrics.listen", { "metrics.listen": "10.0.0.5:9464" }],
  ["session.secure", { "session.secure": "false" }],
  ["session.same_site", { "session.same_site": "none" }],
  ["security.bcrypt_cost", { "security.bcrypt_cost": "11" }],
  ["limits.login_failures", { "limits.login_failures": "11" }],
] as const)
  test(`${JSON.stringify(given)} is a caution about ${setting}`, () => {
    expect(about({ flags: { ...sound, ...given } })).toEqual([setting])
  })

test("what is stricter than the default is none", () => {
  const strict = {
    "metrics.listen": "127.0.0.1:9464",
    "security.bcrypt_cost": "13",
    "limits.login_failures": "3",
    "session.same_site": "strict",
    "recognition.feed": "own",
    "stream.access": "auth",
  }
  expect(about({ flags: { ...sound, ...strict } })).toEqual([])
})
