import { describe, expect, test } from "bun:test"
import { entries, settings } from "../../src/config/settings.ts"
import { type Given, load, refusal } from "./support.ts"

const tomlOf = (path: string, literal: string) => {
  const [section, key] = path.split(".")
  return `[${section}]\n${key} = ${literal}`
}

/** The value that the file's literal becomes, or "fault" when this setting is refused. */
function inFile(path: string, literal: string, underTest = false): unknown {
  // The variable that load sets would go before the file's secret.
  const env = path === "security.secret_key" ? { REWARDS_SECURITY__SECRET_KEY: undefined } : {}
  return outcome(path, { toml: tomlOf(path, literal), env, underTest })
}

/** The same for text in the environment. */
function inEnvironment(path: string, text: string, underTest = false): unknown {
  return outcome(path, { env: { [variable(path)]: text }, underTest })
}

const variable = (path: string) => `REWARDS_${path.replace(".", "__").toUpperCase()}`

function outcome(path: string, given: Given): unknown {
  const entry = entries.find((one) => one.path === path)
  if (entry === undefined) throw new Error(`there is no ${path}`)
  try {
    const config: Readonly<Record<string, Readonly<Record<string, unknown>>>> = load(given)
    return config[entry.section]?.[entry.key]
  } catch {
    const own = refusal(given).filter((line) => line.startsWith(`${path} (`))
    if (own.length !== 1) throw new Error(`not refused for itself: ${refusal(given)}`)
    return "fault"
  }
}

test("every default and every example is valid for its own setting", () => {
  for (const { path, setting } of entries) {
    const shown = setting.default ?? setting.example
    if (shown !== null) expect([path, setting.kind.check(shown, false)]).toEqual([path, shown])
  }
})

describe("texts", () => {
  const long = "x".repeat(5000)
  test.each([
    ["server.host", ["127.0.0.1", "0.0.0.0", "::", "::1", "localhost", "rewards.example.com", "mail_hog"]],
    ["metrics.listen", ["127.0.0.1:9464", "0.0.0.0:0", "[::1]:65535", "[::]:1", "localhost:9464"]],
    ["service.name", ["Rewards", "Pontos & Prêmios", "R", "🎁".repeat(100)]],
    ["service.time_zone", ["UTC", "Europe/Lisbon", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "Asia/Tokyo"]],
    ["stream.wall_key", ["x".repeat(24), "-_-_0123456789ABCDEFabcdef", "x".repeat(200)]],
    ["db.path", ["rewards.db", "/var/lib/rewards/rewards.db", "my data/rewards.db"]],
    ["security.secret_key", ["k", " ", "line\nline", long]],
    ["security.admin_password", ["a", "é".repeat(512), "tab\tand more"]],
    ["email.debug_file", ["email.log", "../mail.txt"]],
    ["oidc.scopes", ["openid", "openid email", "email groups openid https://example.com/scope"]],
    ["oidc.client_secret", ["s", "with space and é"]],
    ["email.smtp_sender", ["no-reply@localhost", "pontos+reset@mail.example.com", `${"x".repeat(252)}@y`]],
  ])("%s accepts every valid text", (path, values) => {
    expect(values.map((value) => inFile(path, JSON.stringify(value)))).toEqual(values)
    expect(values.map((value) => inEnvironment(path, value))).toEqual(values)
  })

  test.each([
    ["server.host", ["", " ", "localhost:8000", "http://localhost", "[::1]", "a b", "a/b", "a\nb", "x".repeat(254)]],
    [
      "metrics.listen",
      ["", "9464", ":9464", "a:", "a:65536", "a:-1", "::1:9464", "[a]:1", "http://a:1", "a b:1", "a:1\n"],
    ],
    ["service.name", ["", "x".repeat(101), "a\nb", "a\r\nBcc: b@c", "a\u0000", "a\u2028b", "a\u0085b"]],
    ["service.time_zone", ["", "Lisbon/Europe", "+02:00", "GMT+3", "UTC ", "Europe/Lisbon\n", "local", long]],
    ["db.path", ["", "a\nb", "a\u0000b", long]],
    ["security.secret_key", [""]],
    ["security.admin_password", ["", "é".repeat(513)]],
    ["security.algorithm", ["", "hs256", "HS512", "none", "RS256"]],
    ["server.profile", ["", "prod", "Production"]],
    ["session.same_site", ["", "Lax", "None"]],
    ["stream.access", ["", "users"]],
    [
      "stream.wall_key",
      ["", "x".repeat(23), "x".repeat(201), `${"x".repeat(24)}=`, `${"x".repeat(24)} `, "é".repeat(24)],
    ],
    ["recognition.feed", ["", "none", "All"]],
    ["login.password", ["", "on", "none", "All"]],
    [
      "oidc.issuer",
      [
        "",
        "login.example.com",
        "http://login.example.com",
        "http://127.evil.example",
        "http://localhost.evil.example",
        "http://10.0.0.1",
        "https://a@b.example",
        "https://a.example/?tenant=1",
        "https://a.example/#",
        "ftp://localhost",
      ],
    ],
    ["oidc.scopes", ["", "email profile", "openid  email", " openid", "openid\temail", 'openid "', "openid é"]],
    ["email.debug_file", ["", "a\nb"]],
    ["email.smtp_server", ["", "smtps://mail", "mail:465", "mail example"]],
    ["email.smtp_user", ["", "a\r\nb"]],
    ["email.smtp_password", [""]],
    [
      "email.smtp_sender",
      [
        "",
        "a",
        "a@",
        "@b",
        "Ana <a@b>",
        "<a@b>",
        "a@b, c@d",
        "a@b;c@d",
        "a@b@c",
        "a@b\r\nBcc:x",
        'a"@b',
        "a\u0000@b",
        `${"x".repeat(253)}@y`,
      ],
    ],
  ])("%s refuses every invalid text", (path, values) => {
    expect(values.map((value) => [value, inFile(path, JSON.stringify(value))])).toEqual(
      values.map((value) => [value, "fault"]),
    )
    const inVariable = values.filter((value) => !value.includes("\0"))
    expect(inVariable.map((value) => [value, inEnvironment(path, value)])).toEqual(
      inVariable.map((value) => [value, "fault"]),
    )
  })

  test("a text in the file must be quoted", () => {
    for (const literal of ["1", "true", "1979-05-27", '["a"]', "{ a = 1 }", "inf"])
      for (const path of [
        "server.host",
        "security.secret_key",
        "server.base_url",
        "session.same_site",
        "email.smtp_user",
      ])
        expect([path, literal, inFile(path, literal)]).toEqual([path, literal, "fault"])
  })
})

describe("whole numbers", () => {
  const tenYears = { minutes: 5256000, seconds: 315360000 }
  test.each([
    ["server.port", 0, 65535],
    ["security.access_token_expire_minutes", 1, tenYears.minutes],
    ["security.refresh_token_expire_minutes", 1, tenYears.minutes],
    ["security.reset_token_expire_minutes", 1, tenYears.minutes],
    ["security.bcrypt_cost", 10, 15],
    ["security.password_min_length", 1, 1024],
    ["session.expire_seconds", 1, tenYears.seconds],
    ["email.smtp_port", 1, 65535],
    ["jobs.result_ttl_seconds", 0, tenYears.seconds],
    ["jobs.max_attempts", 1, 100],
    ["jobs.lease_seconds", 5, 3600],
    ["limits.login_failures", 1, 1000000],
    ["limits.transfers_per_minute", 0, 1000000],
    ["limits.writes_per_minute", 0, 1000000],
    ["limits.reset_mails", 1, 1000000],
    ["limits.idle_seconds", 5, 255],
    ["limits.streams", 1, 1000000],
    ["limits.body_bytes", 1024, 67108864],
    ["health.disk_floor_mb", 0, 1000000],
    ["db.verify_mb", 0, 1000000],
    ["db.pool_size", 1, 1000],
  ])("%s is a whole number from %d to %d", (path, min, max) => {
    for (const given of [inFile, inEnvironment]) {
      const around = [min - 1, min, max, max + 1].map((value) => given(path, String(value)))
      expect(around).toEqual(["fault", min, max, "fault"])
    }
    const strange = ["12.5", "nan", "inf", '"12"', "true", "[12]", "2020-01-01"]
    expect(strange.map((literal) => inFile(path, literal))).toEqual(strange.map(() => "fault"))
    const texts = ["", " 12", "12 ", "+12", "1e1", "0x0c", "12.0", "1_2", "twelve", "١٢", "99999999999999999999"]
    expect(texts.map((text) => inEnvironment(path, text))).toEqual(texts.map(() => "fault"))
  })

  test("a bcrypt cost of 4 is accepted only under test", () => {
    const costs = ["3", "4", "5", "9", "10"]
    expect(costs.map((cost) => inFile("security.bcrypt_cost", cost, true))).toEqual(["fault", 4, "fault", "fault", 10])
    expect(inEnvironment("security.bcrypt_cost", "4", true)).toBe(4)
    expect(inFile("security.bcrypt_cost", "4")).toBe("fault")
  })
})

describe("numbers", () => {
  test.each([
    ["email.debug_delay_seconds", ["0", "0.25", "3600"], ["-0.1", "3600.1", "nan", "inf", '"3"', "true"]],
    ["stream.poll_interval_seconds", ["0.05", "1", "60"], ["0", "0.04", "60.5", "-1", "nan", "inf", '"1"']],
  ])("%s accepts fractions within its range and refuses everything else", (path, good, bad) => {
    expect(good.map((literal) => inFile(path, literal))).toEqual(good.map(Number))
    expect(good.map((text) => inEnvironment(path, text))).toEqual(good.map(Number))
    expect(bad.map((literal) => inFile(path, literal))).toEqual(bad.map(() => "fault"))
    const texts = [...bad, "", " 1", "1.", ".5", "1e0", "1,5"]
    expect(texts.map((text) => inEnvironment(path, text))).toEqual(texts.map(() => "fault"))
  })
})

describe("true and false", () => {
  test.each(["session.secure", "email.debug_mode"])("%s accepts only true and false", (path) => {
    // A mail server, so that debug_mode = false stands alone.
    const settle = (given: Given) =>
      outcome(path, { ...given, env: { REWARDS_EMAIL__SMTP_SERVER: "mail", ...given.env } })
    expect(["true", "false"].map((literal) => settle({ toml: tomlOf(path, literal) }))).toEqual([true, false])
    expect(["true", "false"].map((text) => settle({ env: { [variable(path)]: text } }))).toEqual([true, false])
    expect(['"true"', "1", "0", "[]"].map((literal) => inFile(path, literal))).toEqual(Array(4).fill("fault"))
    const texts = ["", "1", "0", "yes", "True", "TRUE", " true"]
    expect(texts.map((text) => inEnvironment(path, text))).toEqual(texts.map(() => "fault"))
  })
})

describe("choices", () => {
  test.each([
    ["server.profile", ["development"]],
    ["security.algorithm", ["HS256"]],
    ["session.same_site", ["lax", "strict"]],
    ["stream.access", ["public", "auth"]],
    ["recognition.feed", ["all", "own"]],
  ])("%s may be %j", (path, values) => {
    expect(values.map((value) => inFile(path, `"${value}"`))).toEqual(values)
    expect(values.map((value) => inEnvironment(path, value))).toEqual(values)
  })
})

describe("words", () => {
  test("recognition.tags is a list of distinct words, normalized to NFC", () => {
    expect(inFile("recognition.tags", '["teamwork", "it\'s-fun", "cafe\u0301", "🎉"]')).toEqual([
      "teamwork",
      "it's-fun",
      "café",
      "🎉",
    ])
    expect(inEnvironment("recognition.tags", "teamwork, help")).toEqual(["teamwork", "help"])
    expect(inEnvironment("recognition.tags", "")).toEqual([])
    for (const text of ["a b", "a,,b", "help,help", "x".repeat(33), "a\tb", "a\u200bb", `a${"\u0301".repeat(9)}`])
      expect({ text, found: inEnvironment("recognition.tags", text) }).toEqual({ text, found: "fault" })
    expect(inFile("recognition.tags", '["cafe\u0301", "café"]')).toEqual("fault")
  })
})

describe("addresses of the service", () => {
  test("backup.s3_region is a name that can be part of a host's", () => {
    const good = ["us-east-1", "auto", "RegionOne"]
    expect(good.map((name) => inEnvironment("backup.s3_region", name))).toEqual(good)
    const bad = ["eu west", "eu-west-1 ", "a@b", "eu/x", "eu.evil.example"]
    expect(bad.map((name) => inEnvironment("backup.s3_region", name))).toEqual(bad.map(() => "fault"))
  })

  test("server.base_url is an http or https URL without a path, stored without a trailing slash", () => {
    const urls = {
      "https://rewards.example.com": "https://rewards.example.com",
      "https://rewards.example.com/": "https://rewards.example.com",
      "HTTPS://Rewards.Example.com:443//": "https://rewards.example.com",
      "http://localhost:8000": "http://localhost:8000",
      "http://[::1]:8000/": "http://[::1]:8000",
      "https://prêmios.example": "https://xn--prmios-jva.example",
    }
    expect(Object.keys(urls).map((url) => inFile("server.base_url", `"${url}"`))).toEqual(Object.values(urls))
    expect(Object.keys(urls).map((url) => inEnvironment("server.base_url", url))).toEqual(Object.values(urls))
  })

  test("a path in server.base_url is refused with the reason and the cure", () => {
    const paths = ["https://intranet.example.com/kudos", "https://a.example/kudos/", "http://a.example:8000/a/b"]
    expect(paths.map((url) => inEnvironment("server.base_url", url))).toEqual(paths.map(() => "fault"))
    expect(settings.server.base_url.kind.expected).toMatch(/begin at the root of its host, so give it a host name/)
  })

  test.each(["server.base_url", "security.pwd_reset_url"])("%s refuses anything but a plain http URL", (path) => {
    const urls = ["", "rewards.example.com", "//a.example", "ftp://a.example", "javascript:alert(1)", "http:a.example"]
    const adorned = ["https://ana@a.example", "https://ana:x@a.example", "https://@a.example", "https://a.example?"]
    const more = ["https://a.example/?q=1", "https://a.example/#f", "https://a.example#", "https://a b.example"]
    const rest = [
      " https://a.example",
      "https://a.example\n",
      "https://a.example/\tb",
      "https:\\\\a.example",
      "https://",
    ]
    const odd = [
      "https://a.example:99999",
      "https://a.example/{base_url}",
      "https://{base_url}/",
      "/reset",
      "https://[::1",
      "https://*.a.example",
      "https://*",
      "https://a..example",
      "https://.a.example",
    ]
    const all = [
      ...urls,
      ...adorned,
      ...more,
      ...rest,
      ...odd.filter((url) => path.includes("reset") || !url.includes("{")),
    ]
    expect(all.map((url) => [url, inFile(path, JSON.stringify(url))])).toEqual(all.map((url) => [url, "fault"]))
    expect(all.map((url) => [url, inEnvironment(path, url)])).toEqual(all.map((url) => [url, "fault"]))
  })

  test("security.pwd_reset_url may begin with {base_url}, and stays unchanged", () => {
    const good = ["{base_url}", "{base_url}/reset", "https://ui.example.com/reset/", "http://localhost:3000/r"]
    expect(good.map((url) => inFile("security.pwd_reset_url", `"${url}"`))).toEqual(good)
    const bad = ["{base_url}.evil.example", "{base_url}@evil.example", "{BASE_URL}/x", "{x}/y", "{base_url}/{base_url}"]
    expect(bad.map((url) => inFile("security.pwd_reset_url", `"${url}"`))).toEqual(bad.map(() => "fault"))
    expect(inFile("security.pwd_reset_url", '"{base_url}/reset?x=1"')).toBe("fault")
  })
})

describe("lists", () => {
  test("server.trusted_proxies accepts addresses and ranges of both IP versions", () => {
    const good = [
      "127.0.0.1",
      "10.0.0.0/8",
      "0.0.0.0/0",
      "192.168.1.1/32",
      "::1",
      "fd00::/8",
      "::ffff:10.0.0.1",
      "::/128",
    ]
    expect(inFile("server.trusted_proxies", JSON.stringify(good))).toEqual(good)
    expect(inEnvironment("server.trusted_proxies", good.join(","))).toEqual(good)
  })

  test("backup.s3_prefix is a folder inside the bucket: a URL takes ../ for another bucket, and ./ for its root", () => {
    for (const folder of ["london/", "london", "a/b.c/", "..a/", "a../", "..."])
      expect([folder, inEnvironment("backup.s3_prefix", folder)]).toEqual([folder, folder])
    for (const folder of ["..", "../", "../other/", "a/..", "a/../../b/", ".", "./", "a/./b/", "a/.", "/a/", "a b"])
      expect([folder, inEnvironment("backup.s3_prefix", folder)]).toEqual([folder, "fault"])
  })

  test("server.acme_domains takes host names and spells them as DNS does", () => {
    const given = ["Rewards.Example.com", "pontos.exämple.com", "intranet"]
    const accepted = ["rewards.example.com", "pontos.xn--exmple-cua.com", "intranet"]
    const toml = `[server]\nbase_url = "https://intranet"\nacme_domains = ${JSON.stringify(given)}`
    expect(load({ toml }).server.acme_domains).toEqual(accepted)
    const bad = [
      "*.example.com",
      "192.0.2.1",
      "a b.example.com",
      "https://a.example.com",
      "a.example.com:80",
      "a..b",
      "",
    ]
    const judged = bad.map((item) => [item, inFile("server.acme_domains", JSON.stringify([item]))])
    expect(judged).toEqual(bad.map((item) => [item, "fault"]))
    expect(inFile("server.acme_domains", '["a.example.com", "A.example.com"]')).toBe("fault")
  })

  test("server.trusted_proxies refuses everything else", () => {
    const names = ["", "localhost", "*", "10.0.0", "10.0.0.256", "010.0.0.1", "10.0.0.1:80", "[::1]", "fe80::1%eth0"]
    const ranges = ["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/8 ", "/8", "::/ 8"]
    const bad = [...names, ...ranges]
    const judged = bad.map((item) => [item, inFile("server.trusted_proxies", JSON.stringify(["127.0.0.1", item]))])
    expect(judged).toEqual(bad.map((item) => [item, "fault"]))
  })

  test("cors.origins are stored in the form in which browsers send them", () => {
    const given = ["https://UI.example.com", "http://localhost:3000", "https://a.example:443", "http://[::1]:5173"]
    const origins = ["https://ui.example.com", "http://localhost:3000", "https://a.example", "http://[::1]:5173"]
    expect(inFile("cors.origins", JSON.stringify(given))).toEqual(origins)
    expect(inEnvironment("cors.origins", given.join(" , "))).toEqual(origins)
  })

  test("cors.origins refuses anything but an exact origin", () => {
    const wild = ["*", "https://*", "https://*.example.com", "null", "", "ui.example.com", "//ui.example.com"]
    const more = ["https://a.example/", "https://a.example/ui", "https://a.example?x", "https://a.example#x"]
    const other = [
      "ftp://a.example",
      "https://ana@a.example",
      "https://a.example ",
      "https://a.example:99999",
      "https://",
    ]
    const bad = [...wild, ...more, ...other]
    const judged = bad.map((item) => [item, inFile("cors.origins", JSON.stringify([item]))])
    expect(judged).toEqual(bad.map((item) => [item, "fault"]))
  })

  test('the refusal of "*" gives the reason', () => {
    expect(refusal({ toml: '[cors]\norigins = ["*"]' })).toEqual([
      expect.stringContaining('never "*", since requests carry credentials'),
    ])
  })

  test.each(["server.trusted_proxies", "cors.origins"])(
    "%s is an array in the file and comma-separated in the environment",
    (path) => {
      expect([inFile(path, "[]"), inEnvironment(path, ""), inEnvironment(path, "  ")]).toEqual([[], [], []])
      const literals = ['"10.0.0.1"', '""', "1", "[1]", '["10.0.0.1", 2]', '[["10.0.0.1"]]', "{ a = 1 }", "true"]
      expect(literals.map((literal) => inFile(path, literal))).toEqual(literals.map(() => "fault"))
      const item = path === "cors.origins" ? "https://a.example" : "10.0.0.1"
      expect(inEnvironment(path, ` ${item} `)).toEqual([item])
      const texts = [",", `${item},`, `${item},,${item}`, `${item} ${item}`, `["${item}"]`]
      expect(texts.map((text) => inEnvironment(path, text))).toEqual(texts.map(() => "fault"))
    },
  )

  test("webhooks.ports is an array of ports in the file, and comma-separated decimal numbers in the environment", () => {
    const path = "webhooks.ports"
    expect([inFile(path, "[80, 65535]"), inEnvironment(path, "80, 65535"), inEnvironment(path, "")]).toEqual([
      [80, 65535],
      [80, 65535],
      [],
    ])
    const texts = ["0x10", "1e3", "80.0", "+80", "0", "65536", "80,", ",", "[80]"]
    expect(texts.map((text) => [text, inEnvironment(path, text)])).toEqual(texts.map((text) => [text, "fault"]))
  })
})
