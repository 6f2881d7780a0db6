import { describe, expect, test } from "bun:test"
import { cautions, cookieIsSecure, productionFaults, weaknesses } from "../../src/config/rules.ts"
import type { Flags } from "../../src/config/sources.ts"
import { load, loadWithoutSecret, refusal, secret } from "./support.ts"

const production = { REWARDS_SERVER__PROFILE: "production", REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "8" }
const provider = '[oidc]\nissuer = "https://a.example"\nclient_id = "rewards"\n'
const mailing = { REWARDS_EMAIL__DEBUG_MODE: "false", REWARDS_EMAIL__SMTP_SERVER: "smtp.example.com" }

describe("profile production", () => {
  test("refuses a secret under 32 bytes, email.debug_mode and short passwords, and reports all other faults with them", () => {
    const env = {
      REWARDS_SERVER__PROFILE: "production",
      REWARDS_SECURITY__SECRET_KEY: "short",
      REWARDS_SERVER__PORT: "x",
    }
    expect(refusal({ env })).toEqual([
      "server.port (environment REWARDS_SERVER__PORT): expected a whole number from 0 to 65535",
      "security.secret_key (environment REWARDS_SECURITY__SECRET_KEY): " +
        "expected at least 32 bytes, so that nobody can guess it",
      "email.debug_mode (built-in default): " +
        "expected false, so that reset tokens are sent instead of written to a file",
      "security.password_min_length (built-in default): expected at least 8, so that passwords are hard to guess",
    ])
    const seven = { ...production, ...mailing, REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "7" }
    expect(refusal({ env: seven })).toHaveLength(1)
  })

  test("counts bytes of the secret, not characters", () => {
    const secrets = ["x".repeat(31), "x".repeat(32), "é".repeat(15), "é".repeat(16)]
    const accepted = secrets.map((one) => {
      const config = load({
        env: { ...production, ...mailing, REWARDS_SERVER__PROFILE: "development", REWARDS_SECURITY__SECRET_KEY: one },
      })
      return productionFaults(config).length === 0
    })
    expect(accepted).toEqual([false, true, false, true])
  })

  test("starts with a long secret, a mail server, and a separate key for the wall", () => {
    const own = { ...production, ...mailing, REWARDS_STREAM__WALL_KEY: "x".repeat(24) }
    expect(load({ env: own }).server.profile).toBe("production")
    expect(load({ env: { ...production, ...mailing } }).server.profile).toBe("production")
  })

  test("refuses the secret of the example file, which is public", () => {
    const key = "24-random-characters-at-least"
    expect(refusal({ env: { ...production, ...mailing, REWARDS_STREAM__WALL_KEY: key } })).toEqual([
      "stream.wall_key (environment REWARDS_STREAM__WALL_KEY): " +
        "expected a random key instead of the example; `openssl rand -hex 24` makes one",
    ])
  })

  test("does not check the secret for a command that needs none", () => {
    const env = { ...production, ...mailing, REWARDS_SECURITY__SECRET_KEY: undefined }
    expect(loadWithoutSecret({ env }).security.secret_key).toBeNull()
  })
})

describe("profile development", () => {
  test("starts with settings that production refuses, and warns about each in one sentence without the value", () => {
    expect(weaknesses(load({ env: { REWARDS_SECURITY__SECRET_KEY: "short" } }))).toEqual([
      "security.secret_key: production requires at least 32 bytes, so that nobody can guess it",
      "email.debug_mode: production requires false, so that reset tokens are sent instead of written to a file",
      "security.password_min_length: production requires at least 8, so that passwords are hard to guess",
    ])
  })

  test("gives no warning about settings that production accepts", () => {
    expect(weaknesses(load({ env: { ...production, ...mailing, REWARDS_SERVER__PROFILE: "development" } }))).toEqual([])
  })
})

describe("settings that do not go together", () => {
  const sameSite = 'session.same_site (rewards.toml): expected "lax" or "strict", '

  test('same_site = "none" needs a secure cookie', () => {
    const none = '[session]\nsame_site = "none"\n'
    expect(refusal({ toml: none })).toEqual([expect.stringContaining(sameSite)])
    expect(refusal({ toml: `${none}secure = false\n[server]\nbase_url = "https://a.example"` })).toEqual([
      expect.stringContaining(sameSite),
    ])
    expect(load({ toml: `${none}secure = true` }).session.same_site).toBe("none")
    expect(load({ toml: `${none}[server]\nbase_url = "https://a.example"` }).session.same_site).toBe("none")
  })

  test("debug_mode = false needs a mail server", () => {
    expect(refusal({ toml: "[email]\ndebug_mode = false" })).toEqual([
      "email.smtp_server (not set): expected the name of a mail server, since email.debug_mode is false",
    ])
    expect(load({ env: mailing }).email.smtp_server).toBe("smtp.example.com")
  })

  test("access tokens for the mail server take the place of a password, and need an account, an application and its secret", () => {
    const tokens = {
      REWARDS_EMAIL__OAUTH_TOKEN_URL: "https://login.example.com/token",
      REWARDS_EMAIL__OAUTH_CLIENT_ID: "rewards",
      REWARDS_EMAIL__OAUTH_CLIENT_SECRET: "change me",
      REWARDS_EMAIL__SMTP_USER: "kudos@example.com",
    }
    expect(load({ env: { ...mailing, ...tokens } }).email.smtp_password).toBeNull()
    for (const [key, field] of [
      ["OAUTH_TOKEN_URL", "oauth_token_url"],
      ["OAUTH_CLIENT_ID", "oauth_client_id"],
      ["OAUTH_CLIENT_SECRET", "oauth_client_secret"],
      ["SMTP_USER", "smtp_user"],
    ] as const) {
      const [fault] = refusal({ env: { ...mailing, ...tokens, [`REWARDS_EMAIL__${key}`]: undefined } }).filter((one) =>
        one.startsWith(`email.${field}`),
      )
      expect([key, fault]).toEqual([key, expect.stringContaining("(not set): expected ")])
    }
    const refresh = { REWARDS_EMAIL__OAUTH_CLIENT_SECRET: undefined, REWARDS_EMAIL__OAUTH_REFRESH_TOKEN: "token" }
    expect(load({ env: { ...mailing, ...tokens, ...refresh } }).email.oauth_client_secret).toBeNull()
  })

  test("a user name for the mail server needs a password, and a password needs a user name", () => {
    const user = '[email]\nsmtp_user = "ana"\n'
    const password = `[email]\nsmtp_password = "${secret}"\n`
    expect(refusal({ toml: user })).toEqual([
      "email.smtp_password (not set): expected a password, since email.smtp_user is set and email.oauth_token_url is not",
    ])
    expect(refusal({ toml: password })).toEqual([
      "email.smtp_user (not set): expected a user name, since email.smtp_password is set",
    ])
    expect(load({ toml: user, env: { REWARDS_EMAIL__SMTP_PASSWORD: "p" } }).email.smtp_user).toBe("ana")
  })

  test("a certificate needs a key, and a key needs a certificate", () => {
    expect(refusal({ toml: '[server]\ntls_cert = "cert.pem"' })).toEqual([
      "server.tls_key (not set): expected the file with the certificate's key, since server.tls_cert is set",
    ])
    expect(refusal({ toml: '[server]\ntls_key = "key.pem"' })).toEqual([
      "server.tls_cert (not set): expected the file with the key's certificate, since server.tls_key is set",
    ])
    expect(load({ toml: '[server]\ntls_cert = "cert.pem"\ntls_key = "key.pem"' }).server.tls_key).toBe("key.pem")
  })

  test("a certificate by ACME needs an https address with one of its names, and no files", () => {
    const given = (more: Flags) => ({ flags: { "server.acme_domains": "a.example.com,b.example.com", ...more } })
    const address = (source: string) =>
      `server.base_url (${source}): expected an https address with one of the names in server.acme_domains`
    expect(refusal(given({}))).toEqual([address("not set")])
    expect(refusal(given({ "server.base_url": "http://a.example.com" }))).toEqual([address("flag --base-url")])
    expect(refusal(given({ "server.base_url": "https://c.example.com" }))).toEqual([address("flag --base-url")])
    expect(load(given({ "server.base_url": "https://b.example.com:8443" })).server.acme_domains).toHaveLength(2)
    expect(
      refusal(
        given({ "server.base_url": "https://a.example.com", "server.tls_cert": "c.pem", "server.tls_key": "k.pem" }),
      ),
    ).toEqual([
      "server.tls_cert (flag --tls-cert): expected nothing, since the server gets a certificate by itself (server.acme_domains)",
    ])
  })

  test("a port for http needs TLS, an address to lead to, and another number than the service", () => {
    const tls = { "server.tls_cert": "c.pem", "server.tls_key": "k.pem", "server.base_url": "https://a.example.com" }
    expect(refusal({ flags: { "server.http_port": "80" } })).toEqual([
      "server.base_url (not set): expected the address to which server.http_port redirects",
      "server.http_port (flag --http-port): expected nothing, since this server has no certificate: it speaks plain http on server.port",
    ])
    expect(refusal({ flags: { ...tls, "server.http_port": "8000" } })).toEqual([
      "server.http_port (flag --http-port): expected another port, since the service itself listens on this one (server.port)",
    ])
    expect(load({ flags: { ...tls, "server.http_port": "80" } }).server.http_port).toBe(80)
  })

  test("the metrics need another port than the service on the same address", () => {
    const given = (host: string, listen: string) => ({ "server.host": host, "metrics.listen": listen })
    for (const [host, listen] of [
      ["127.0.0.1", "127.0.0.1:8000"],
      ["0.0.0.0", "127.0.0.1:8000"],
      ["::1", "[::]:8000"],
    ] as const)
      expect(refusal({ flags: given(host, listen) })).toEqual([
        "metrics.listen (flag --listen): expected another port, since the service itself listens on this one (server.port)",
      ])
    for (const [host, listen] of [
      ["127.0.0.1", "127.0.0.1:9464"],
      ["10.0.0.5", "127.0.0.1:8000"],
    ] as const)
      expect(load({ flags: given(host, listen) }).metrics.listen).toBe(listen)
    const anyFree = { ...given("127.0.0.1", "127.0.0.1:0"), "server.port": "0" }
    expect(load({ flags: anyFree }).metrics.listen).toBe("127.0.0.1:0")
  })

  test("groups that give duties need the claim that names them", () => {
    const groups = { "oidc.duty_groups": "HR=people, a=b=insights" }
    expect(refusal({ flags: groups })).toEqual([
      "oidc.duty_claim (not set): expected the claim with the groups, since oidc.duty_groups is set",
    ])
    expect(load({ flags: { ...groups, "oidc.duty_claim": "groups" } }).oidc.duty_groups).toEqual([
      "HR=people",
      "a=b=insights",
    ])
    for (const wrong of ["HR", "HR=", "HR=management", "HR=People", "=people"])
      expect(refusal({ flags: { "oidc.duty_groups": wrong, "oidc.duty_claim": "groups" } })).toEqual([
        'oidc.duty_groups (flag --duty-groups): expected a list of groups, each with a duty (insights, rewards, people, programme) behind an equals sign, such as "HR=people"',
      ])
  })

  test("a provider needs a client id, and a client id needs a provider", () => {
    expect(refusal({ toml: '[oidc]\nissuer = "https://a.example"' })).toEqual([
      "oidc.client_id (not set): expected the name of this service at the provider, since oidc.issuer is set",
    ])
    expect(refusal({ toml: '[oidc]\nclient_id = "rewards"' })).toEqual([
      "oidc.issuer (not set): expected the provider, since oidc.client_id is set",
    ])
    for (const issuer of [
      "https://accounts.google.com",
      "https://login.example.com/application/o/rewards/",
      "http://localhost:8080",
      "http://127.0.0.1:8080/realms/a",
      "http://[::1]:8080",
    ])
      expect(load({ toml: provider.replace("https://a.example", issuer) }).oidc.issuer).toBe(issuer)
  })

  test("passwords can be restricted only if there is a provider to log in with", () => {
    for (const password of ["superusers", "off"]) {
      expect(refusal({ toml: `[login]\npassword = "${password}"` })).toEqual([
        'login.password (rewards.toml): expected "all", since people cannot log in otherwise while oidc.issuer is not set',
      ])
      expect<string>(load({ toml: `[login]\npassword = "${password}"\n${provider}` }).login.password).toBe(password)
    }
  })

  test("an issuer for many companies is refused, and so is management as the default department", () => {
    for (const tenant of ["common/v2.0", "organizations/v2.0", "consumers", "Common/"])
      expect(refusal({ toml: provider.replace("a.example", `login.microsoftonline.com/${tenant}`) })).toEqual([
        "oidc.issuer (rewards.toml): expected the issuer of one tenant, " +
          "https://login.microsoftonline.com/TENANT-ID/v2.0, since any Microsoft account fits this one",
      ])
    expect(refusal({ toml: `${provider}default_department = "Management"` })).toEqual([
      "oidc.default_department (rewards.toml): expected another department than management, since its members are superusers",
    ])
  })

  test("in production a provider requires a server.base_url", () => {
    const env = { ...production, ...mailing }
    expect(refusal({ toml: provider, env })).toEqual([
      "server.base_url (not set): expected the address under which users reach the service, " +
        "since the provider sends them back there (oidc.issuer)",
    ])
    const toml = `${provider}[server]\nbase_url = "https://rewards.example"`
    expect(load({ toml, env }).server.base_url).toBe("https://rewards.example")
  })

  test("an invalid setting causes no further fault in the settings that depend on it", () => {
    expect(refusal({ toml: '[email]\ndebug_mode = false\nsmtp_server = ""' })).toEqual([
      "email.smtp_server (rewards.toml): expected a host name or an IP address, without port",
    ])
  })
})

test("the cookie is secure if the setting says so; without the setting, if the service uses https", () => {
  const judge = (secure: boolean | null, base_url: string | null, tls_cert: string | null = null) => {
    const { session, server } = load()
    return cookieIsSecure({ session: { ...session, secure }, server: { ...server, base_url, tls_cert } })
  }
  const cases: [boolean | null, string | null, string | null, boolean][] = [
    [null, null, null, false],
    [null, "http://a.example", null, false],
    [null, "https://a.example", null, true],
    [null, null, "cert.pem", true],
    [null, "http://a.example", "cert.pem", false],
    [false, "https://a.example", "cert.pem", false],
    [true, null, null, true],
  ]
  expect(cases.map(([secure, url, cert]) => judge(secure, url, cert))).toEqual(cases.map((one) => one[3]))
})

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

test("safe settings cause no caution, behind a proxy or with a certificate", () => {
  expect(about({ flags: sound })).toEqual([])
  expect(
    about({ flags: { ...sound, "server.trusted_proxies": "", "server.tls_cert": "c.pem", "server.tls_key": "k.pem" } }),
  ).toEqual([])
  expect(about({ flags: { ...sound, "server.base_url": undefined, "server.trusted_proxies": "" } })).toEqual([])
})

test("in development, each setting that production would refuse causes a caution of one sentence", () => {
  const env = { REWARDS_SECURITY__SECRET_KEY: "short" }
  expect(cautions(load({ env })).map(({ about, problem, cure }) => `${about}: ${problem}; ${cure}`)).toEqual([
    "security.secret_key: production refuses to start with it; set at least 32 bytes, so that nobody can guess it",
    "email.debug_mode: production refuses to start with it; set false, so that reset tokens are sent instead of written to a file",
    "security.password_min_length: production refuses to start with it; set at least 8, so that passwords are hard to guess",
    'server.profile: the development profile starts with unsafe settings; set "production"',
  ])
})

for (const [setting, given] of [
  ["server.base_url", { "server.base_url": "http://rewards.example.com" }],
  ["server.base_url", { "server.base_url": undefined, "server.host": "0.0.0.0" }],
  ["server.trusted_proxies", { "server.trusted_proxies": "" }],
  ["server.trusted_proxies", { "server.trusted_proxies": "127.0.0.1,0.0.0.0/0" }],
  ["server.trusted_proxies", { "server.trusted_proxies": "::/0" }],
  ["backup.every_hours", { "backup.every_hours": "24", "db.url": "postgres://rewards@db.example.com/rewards" }],
  ["stream.access", { "recognition.feed": "own" }],
  ["stream.wall_key", { "recognition.feed": "own", "stream.access": "auth", "stream.wall_key": "k".repeat(24) }],
  ["metrics.listen", { "metrics.listen": "10.0.0.5:9464" }],
  ["oidc.trust_email", { "oidc.trust_email": "true" }],
  ["session.secure", { "session.secure": "false" }],
  ["session.same_site", { "session.same_site": "none" }],
  ["security.bcrypt_cost", { "security.bcrypt_cost": "11" }],
  ["limits.login_failures", { "limits.login_failures": "11" }],
] as const)
  test(`${JSON.stringify(given)} causes a caution about ${setting}`, () => {
    expect(about({ flags: { ...sound, ...given } })).toEqual([setting])
  })

test("settings stricter than the default cause no caution", () => {
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

describe("texts with something around them", () => {
  const quotes = "the value begins and ends with a quotation mark, which is part of it"
  const blanks = "the value begins or ends with a blank, a line end or an invisible character, which is part of it"
  const sayings = (flags: Flags) =>
    cautions(load({ flags: { ...sound, ...flags } })).map(({ about, problem, isLogged }) => [about, problem, isLogged])

  for (const [value, problem] of [
    ['"Xk29-secret"', quotes],
    ["'Xk29-secret'", quotes],
    ["“Xk29-secret”", quotes],
    ["`Xk29-secret`", quotes],
    ["Xk29-secret ", blanks],
    [" Xk29-secret", blanks],
    ["Xk29-secret\n", blanks],
    ["Xk29-secret\r\n", blanks],
    ["\ufeffXk29-secret", blanks],
    ["Xk29-secret\u200b", blanks],
  ] as const)
    test(`${JSON.stringify(value)} causes a warning at each start, which does not show it`, () => {
      expect(sayings({ "email.smtp_user": "rewards", "email.smtp_password": value })).toEqual([
        ["email.smtp_password", problem, true],
      ])
      const words = cautions(load({ flags: { ...sound, "email.smtp_user": "r", "email.smtp_password": value } }))
      expect(JSON.stringify(words)).not.toContain("Xk29")
    })

  test("also in names of accounts and in lists, and not where marks stand inside", () => {
    const bot = { "mattermost.url": "https://chat.example.com", "mattermost.bot_token": "b" }
    expect(sayings({ ...bot, "mattermost.tokens": 'one,"two"' })).toEqual([["mattermost.tokens", quotes, true]])
    expect(sayings({ "email.smtp_user": '"rewards"', "email.smtp_password": "x" })).toEqual([
      ["email.smtp_user", quotes, true],
    ])
    for (const fine of ['a"b', '"', '"a', "it's", "a b", "'a\""])
      expect([fine, sayings({ "email.smtp_user": "r", "email.smtp_password": fine })]).toEqual([fine, []])
  })
})

describe("keys of a bucket", () => {
  const bucket = { "backup.s3_bucket": "backups" }
  const faultsOf = (flags: Flags) => refusal({ flags: { ...bucket, ...flags } })

  test("come from settings or from a command, not from both", () => {
    const keys = { "backup.s3_access_key": "a", "backup.s3_secret_key": "s" }
    expect(load({ flags: { ...bucket, ...keys, "backup.s3_session_token": "t" } }).backup.s3_session_token).toBe("t")
    expect(load({ flags: { ...bucket, "backup.s3_credentials_command": "keys" } }).backup.s3_bucket).toBe("backups")
    expect(faultsOf({})).toEqual([
      expect.stringMatching(/^backup\.s3_access_key .* or set backup\.s3_credentials_command, which prints them$/),
      expect.stringMatching(/^backup\.s3_secret_key /),
    ])
    for (const one of [{ "backup.s3_access_key": "a" }, { "backup.s3_secret_key": "s" }])
      expect(faultsOf({ ...one, "backup.s3_credentials_command": "keys" })).toEqual([
        expect.stringMatching(/^backup\.s3_credentials_command .*expected nothing, since /),
      ])
    expect(refusal({ flags: { "backup.s3_session_token": "t" } })).toEqual([
      expect.stringMatching(/^backup\.s3_access_key .*the access key of the session token/),
    ])
  })

  test("an endpoint that names the bucket causes a warning at each start", () => {
    const endpointsOf = (endpoint: string) =>
      cautions(
        load({
          flags: { ...sound, ...bucket, "backup.s3_credentials_command": "k", "backup.s3_endpoint": endpoint },
        }),
      ).filter(({ about, isLogged }) => about === "backup.s3_endpoint" && isLogged).length
    expect(["https://backups.s3.example.com", "https://s3.example.com/backups/"].map(endpointsOf)).toEqual([1, 1])
    expect(
      ["https://s3.example.com", "https://backups2.s3.example.com", "https://s3.example.com/mybackups"].map(
        endpointsOf,
      ),
    ).toEqual([0, 0, 0])
  })
})

test("a value that cannot be used because of what stands around it is told so", () => {
  for (const [path, text, without] of [
    ["SERVER__PORT", '"8000"', "a whole number from 0 to 65535, without the quotation marks around it"],
    ["EMAIL__DEBUG_MODE", "'false'", "true or false, without the quotation marks around it"],
    [
      "SERVER__PORT",
      "8000 ",
      "a whole number from 0 to 65535, without the blank, line end or invisible character around it",
    ],
    ["SERVER__PORT", "x", "a whole number from 0 to 65535"],
  ] as const)
    expect(refusal({ env: { [`REWARDS_${path}`]: text } })[0]).toEndWith(`: expected ${without}`)
  expect(refusal({ env: { REWARDS_DB__URL: '"postgres://u:p@h/d"' } }).join()).toContain(
    "without the quotation marks around it",
  )
})
