import { describe, expect, test } from "bun:test"
import { type Given, load, loadWithoutSecret, refusal, secret } from "./support.ts"

const withoutSecret = { REWARDS_SECURITY__SECRET_KEY: undefined }

test("with only a secret given, every setting has the default of the table", () => {
  expect(load()).toEqual({
    server: {
      host: "127.0.0.1",
      port: 8000,
      base_url: null,
      trusted_proxies: [],
      tls_cert: null,
      tls_key: null,
      acme_domains: [],
      acme_email: null,
      acme_directory: "https://acme-v02.api.letsencrypt.org/directory",
      acme_eab_kid: null,
      acme_eab_key: null,
      http_port: null,
      state_dir: "state",
      profile: "development",
    },
    service: { name: "Rewards", logo: null, time_zone: "UTC", language: "en" },
    db: { path: "rewards.db", verify_mb: 4, url: null, pool_size: 10 },
    backup: {
      every_hours: 0,
      keep: 14,
      dir: "backups",
      s3_bucket: null,
      s3_endpoint: null,
      s3_region: "us-east-1",
      s3_prefix: null,
      s3_access_key: null,
      s3_secret_key: null,
      s3_session_token: null,
      s3_credentials_command: null,
      s3_ca: null,
      s3_keep: 14,
      passphrase: null,
    },
    security: {
      secret_key: secret,
      algorithm: "HS256",
      access_token_expire_minutes: 30,
      refresh_token_expire_minutes: 600,
      reset_token_expire_minutes: 10,
      pwd_reset_url: "{base_url}/reset-password",
      bcrypt_cost: 12,
      password_min_length: 1,
      admin_email: "admin@localhost",
      admin_password: "admin",
    },
    session: { expire_seconds: 604800, same_site: "lax", secure: null },
    login: { password: "all", second_factor: "off" },
    oidc: {
      issuer: null,
      client_id: null,
      client_secret: null,
      scopes: "openid profile email",
      button: null,
      provision: false,
      department_claim: null,
      default_department: "unassigned",
      trust_email: false,
      follow_profile: true,
      duty_claim: null,
      duty_groups: [],
      session_hours: null,
      ca: null,
    },
    cors: { origins: [] },
    email: {
      debug_mode: true,
      debug_file: "email.log",
      debug_delay_seconds: 3,
      smtp_server: null,
      smtp_port: 465,
      smtp_tls: null,
      smtp_allow_plain: false,
      smtp_user: null,
      smtp_password: null,
      oauth_token_url: null,
      oauth_client_id: null,
      oauth_client_secret: null,
      oauth_refresh_token: null,
      oauth_scope: null,
      smtp_ca: null,
      smtp_sender: "no-reply@localhost",
    },
    jobs: { result_ttl_seconds: 500, max_attempts: 10, lease_seconds: 60 },
    stream: { access: "public", wall_key: null, poll_interval_seconds: 1 },
    directory: { access: "public" },
    recognition: { tags: [], feed: "all" },
    webhooks: { allow_private: [], ports: [], ca: null, keep_days: 30 },
    push: { allow_private: [] },
    slack: { signing_secret: null, bot_token: null, webhook_url: null, api_url: "https://slack.com/api" },
    mattermost: { tokens: null, url: null, bot_token: null },
    audit: { keep_days: 0 },
    ui: { avatar_hosts: ["*"] },
    limits: {
      login_failures: 10,
      transfers_per_minute: 120,
      writes_per_minute: 120,
      reset_mails: 10,
      idle_seconds: 60,
      streams: 256,
      body_bytes: 65536,
    },
    health: { disk_floor_mb: 256 },
    metrics: { listen: null },
  })
})

test("the type of a setting matches its values, as the compiler checks", () => {
  const { server, security, email, session, cors } = load()
  const exact = [
    server.port satisfies number,
    server.base_url satisfies string | null,
    security.secret_key satisfies string,
    security.algorithm satisfies "HS256",
    session.same_site satisfies "lax" | "strict" | "none",
    cors.origins satisfies readonly string[],
    // @ts-expect-error a port is no text
    server.port satisfies string,
    // @ts-expect-error there may be no mail server
    email.smtp_server satisfies string,
    // @ts-expect-error a command without secret has to look
    loadWithoutSecret().security.secret_key satisfies string,
  ]
  expect(exact).toHaveLength(9)
})

test("the settings of a loaded configuration cannot be changed", () => {
  const { server } = load()
  expect(() => {
    // @ts-expect-error nor does it compile
    server.port = 1
  }).toThrow(TypeError)
})

test("the configuration is frozen at every level", () => {
  const config = load({ toml: '[cors]\norigins = ["https://ui.example.com"]' })
  const parts = [config, ...Object.values(config), config.cors.origins, config.server.trusted_proxies]
  expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true))
})

describe("where settings come from", () => {
  const toml = "[server]\nport = 1"
  const env = { REWARDS_SERVER__PORT: "2" }
  const flags = { "server.port": "3" }

  test("a flag overrides the environment, the environment overrides the file, and the file overrides the defaults", () => {
    const ports = [{}, { toml }, { toml, env }, { toml, env, flags }].map((given) => load(given).server.port)
    expect(ports).toEqual([8000, 1, 2, 3])
  })

  test("--config names the file, and rewards.toml is not read then", () => {
    const files = { "etc/mine.toml": "[server]\nhost = '::1'" }
    const { host, port } = load({ toml, files, configPath: "etc/mine.toml" }).server
    expect({ host, port }).toEqual({ host: "::1", port: 8000 })
  })

  test("a flag that is not given changes nothing", () => {
    expect(load({ toml, flags: { "server.port": undefined } }).server.port).toBe(1)
  })

  test("sections and keys are case-insensitive in the file and in the environment", () => {
    const written = load({ toml: `[Security]\nSECRET_KEY = "${secret}"`, env: withoutSecret })
    expect(written.security.secret_key).toBe(secret)
    expect(load({ env: { REWARDS_server__Port: "5" } }).server.port).toBe(5)
  })

  test("variables that Kubernetes sets for services called rewards, and those of other programs, are ignored", () => {
    const env = {
      REWARDS_PORT: "tcp://10.0.0.1:8000",
      REWARDS_SERVICE_HOST: "10.0.0.1",
      REWARDS_SERVICE_PORT: "8000",
      REWARDS_SERVICE_PORT_HTTP: "8000",
      REWARDS_PORT_8000_TCP: "tcp://10.0.0.1:8000",
      REWARDS_PORT_8000_TCP_PROTO: "tcp",
      REWARDS_PORT_8000_TCP_PORT: "8000",
      REWARDS_PORT_8000_TCP_ADDR: "10.0.0.1",
      REWARDS_SERVER_PORT: "udp://10.0.0.2:8000", // of a service called rewards-server
      REWARDS__UI_SERVICE_HOST: "10.0.0.3",
      REWARDS__UI_PORT: "tcp://10.0.0.3:80",
      HOME__PORT: "z",
      REWARDSPORT: "1",
    }
    expect(load({ env })).toEqual(load())
  })

  test("REWARDS_SECTION__KEY_FILE reads the file and removes one newline at its end", () => {
    const read = (text: string) =>
      load({ files: { key: text }, env: { ...withoutSecret, REWARDS_SECURITY__SECRET_KEY_FILE: "key" } }).security
        .secret_key
    expect(["a", "a\n", "a\r\n", "a\n\n", " a "].map(read)).toEqual(["a", "a", "a", "a\n", " a "])
  })

  test("for a key that ends in _file, the variable with its value in a file ends in _FILE_FILE", () => {
    const env = { REWARDS_EMAIL__DEBUG_FILE: "mail.txt" }
    expect(load({ env }).email.debug_file).toBe("mail.txt")
    const twice = { REWARDS_EMAIL__DEBUG_FILE_FILE: "name" }
    expect(load({ files: { name: "from-file.txt\n" }, env: twice }).email.debug_file).toBe("from-file.txt")
  })

  test("a file may begin with a byte-order mark and have Windows line endings", () => {
    expect(load({ toml: "\ufeff[server]\r\nport = 7\r\n" }).server.port).toBe(7)
  })
})

describe("the secret", () => {
  test("without the secret the start is refused, and the message names the setting and `rewards init`", () => {
    expect(refusal({ env: withoutSecret })).toEqual([
      "security.secret_key (not set): expected a secret; `rewards init` writes a rewards.toml with a random one",
    ])
  })

  test("a command that signs nothing runs without the secret, but an invalid one is still a fault", () => {
    expect(loadWithoutSecret({ env: withoutSecret }).security.secret_key).toBeNull()
    expect(() => loadWithoutSecret({ env: { REWARDS_SECURITY__SECRET_KEY: "" } })).toThrow("security.secret_key")
  })
})

describe("faults", () => {
  test("all faults are reported at once, each with section, key, source and the expected value", () => {
    const toml = '[server]\nport = "8000"\nhots = "x"\n[smtp]\nport = 1'
    const env = { ...withoutSecret, REWARDS_LIMITS__BODY_BYTES: "12", REWARDS_JOBS__MAX_ATTEMPTS_FILE: "attempts" }
    const flags = { "server.port": "http", "db.path": "" }
    expect(refusal({ toml, files: { attempts: "many" }, env, flags })).toEqual([
      "server.port (rewards.toml): expected a whole number from 0 to 65535",
      "server.hots (rewards.toml): " +
        "expected one of the keys host, port, base_url, trusted_proxies, tls_cert, tls_key, acme_domains, acme_email, acme_directory, acme_eab_kid, acme_eab_key, http_port, state_dir, profile",
      "smtp (rewards.toml): expected one of the sections " +
        "server, service, db, backup, security, session, login, oidc, cors, email, jobs, stream, directory, recognition, ui, limits, webhooks, push, slack, mattermost, audit, health, metrics",
      "limits.body_bytes (environment REWARDS_LIMITS__BODY_BYTES): expected a whole number from 1024 to 67108864",
      "jobs.max_attempts (environment REWARDS_JOBS__MAX_ATTEMPTS_FILE (attempts)): " +
        "expected a whole number from 1 to 100",
      "server.port (flag --port): expected a whole number from 0 to 65535",
      "db.path (flag --db): expected a path of a file",
      "security.secret_key (not set): expected a secret; `rewards init` writes a rewards.toml with a random one",
    ])
  })

  test("an invalid value is a fault even if a later source overrides it", () => {
    expect(refusal({ toml: "[server]\nport = -1", flags: { "server.port": "80" } })).toEqual([
      "server.port (rewards.toml): expected a whole number from 0 to 65535",
    ])
  })

  test("one key spelled in two ways in one file is a fault", () => {
    expect(refusal({ toml: "[server]\nport = 1\nPort = 2\n[Server]\nPORT = 3" })).toEqual([
      "server.port (rewards.toml): expected one value; server.port and server.Port both give one",
      "server.port (rewards.toml): expected one value; server.port and Server.PORT both give one",
    ])
  })

  test("one variable spelled in two ways is a fault, and so is a variable given also by file", () => {
    const env = { REWARDS_SERVER__PORT: "1", REWARDS_Server__Port: "2", REWARDS_SERVER__PORT_FILE: "missing" }
    expect(refusal({ env })).toEqual([
      "server.port (environment REWARDS_Server__Port): " +
        "expected one value; REWARDS_SERVER__PORT and REWARDS_Server__Port both give one",
      "server.port (environment REWARDS_SERVER__PORT_FILE): " +
        "expected one value; REWARDS_SERVER__PORT and REWARDS_SERVER__PORT_FILE both give one",
    ])
  })

  test("a setting outside a section, a section that is no table, and a name with a line break are faults", () => {
    expect(refusal({ toml: 'port = 1\nserver = 5\n[["db"]]\npath = "x"\n[jobs."a\\nb"]\n' })).toEqual([
      expect.stringContaining("port (rewards.toml): expected one of the sections server, "),
      "server (rewards.toml): expected a section, written [server]",
      "db (rewards.toml): expected a section, written [db]",
      "jobs.a?b (rewards.toml): expected one of the keys result_ttl_seconds, max_attempts, lease_seconds",
    ])
  })

  test("property names that every object has are not accepted as settings", () => {
    const toml = "[constructor]\na = 1\n[__proto__]\nb = 1\n[server]\ntoString = 1"
    const env = { REWARDS_CONSTRUCTOR__NAME: "x" }
    expect(refusal({ toml, env }).map((line) => line.split(" ")[0])).toEqual([
      "constructor",
      "__proto__",
      "server.tostring",
      "constructor.name",
    ])
  })

  test("unknown names in the environment are faults", () => {
    const env = { REWARDS_SERVR__PORT: "1", REWARDS_SERVER__PROT: "1", REWARDS_SERVER__PROT_FILE: "x" }
    expect(refusal({ env }).map((line) => line.split(": expected ")[0])).toEqual([
      "servr.port (environment REWARDS_SERVR__PORT)",
      "server.prot (environment REWARDS_SERVER__PROT)",
      "server.prot_file (environment REWARDS_SERVER__PROT_FILE)",
    ])
  })

  test("a variable without two underscores is reported with the name that was probably meant", () => {
    const env = {
      REWARDS_SERVER_PORT: "9000",
      REWARDS_SERVERPORT: "9000",
      REWARDS_SECURITY_SECRET_KEY_FILE: "/run/secret",
      REWARDS_EMAIL_SMTP_SERVER: "",
      REWARDS_SERVER__HOST: "",
    }
    expect(refusal({ env })).toEqual([
      "server.port (environment REWARDS_SERVER_PORT): expected the name REWARDS_SERVER__PORT, with two underscores",
      "server.port (environment REWARDS_SERVERPORT): expected the name REWARDS_SERVER__PORT, with two underscores",
      "security.secret_key (environment REWARDS_SECURITY_SECRET_KEY_FILE): " +
        "expected the name REWARDS_SECURITY__SECRET_KEY_FILE, with two underscores",
      "email.smtp_server (environment REWARDS_EMAIL_SMTP_SERVER): " +
        "expected the name REWARDS_EMAIL__SMTP_SERVER, with two underscores",
      "server.host (environment REWARDS_SERVER__HOST): expected a host name or an IP address, without port",
    ])
  })

  test("a variable named after the key of a security setting alone is reported with the name that was probably meant", () => {
    const env = { REWARDS_ADMIN_PASSWORD: "x", REWARDS_SECRET_KEY: "x", REWARDS_SECRET_KEY_FILE: "/run/secret" }
    expect(refusal({ env })).toEqual([
      "security.admin_password (environment REWARDS_ADMIN_PASSWORD): " +
        "expected the name REWARDS_SECURITY__ADMIN_PASSWORD, with two underscores",
      "security.secret_key (environment REWARDS_SECRET_KEY): " +
        "expected the name REWARDS_SECURITY__SECRET_KEY, with two underscores",
      "security.secret_key (environment REWARDS_SECRET_KEY_FILE): " +
        "expected the name REWARDS_SECURITY__SECRET_KEY_FILE, with two underscores",
    ])
  })

  test("a variable without two underscores that resembles no setting belongs to another program", () => {
    const env = {
      REWARDS_TOKEN: "rwd_1",
      REWARDS_URL: "https://rewards.example.com",
      REWARDS_WEBHOOK_SECRET: "whsec_1",
      REWARDS_BASE_URL: "x",
      REWARDS_PORT: "9000",
      REWARDS_: "1",
    }
    expect(load({ env }).server).toMatchObject({ port: 8000, base_url: null })
  })

  test("a misspelled variable does not hide other faults", () => {
    const env = { ...withoutSecret, REWARDS_SERVER_PORT: "9000", REWARDS_EMAIL__DEBUG_MODE: "false" }
    expect(refusal({ env }).map((line) => line.split(" ")[0])).toEqual([
      "server.port",
      "security.secret_key",
      "email.smtp_server",
    ])
  })

  test("an empty variable means an empty text, and is a fault where that is invalid", () => {
    const env = { REWARDS_SERVER__PORT: "", REWARDS_EMAIL__SMTP_USER: "", REWARDS_CORS__ORIGINS: "" }
    expect(refusal({ env })).toEqual([
      "server.port (environment REWARDS_SERVER__PORT): expected a whole number from 0 to 65535",
      "email.smtp_user (environment REWARDS_EMAIL__SMTP_USER): expected a text that is not empty",
    ])
  })

  test("a missing file named with --config is a fault, but settings it could have held are not reported as missing", () => {
    expect(refusal({ configPath: "mine.toml", env: { ...withoutSecret, REWARDS_SERVER__PORT: "x" } })).toEqual([
      "mine.toml: expected a file that can be read: there is no such file",
      "server.port (environment REWARDS_SERVER__PORT): expected a whole number from 0 to 65535",
    ])
  })

  test("a configuration file that is a folder, or not UTF-8, is a fault", () => {
    expect(refusal({ files: { "rewards.toml/x": "" } })).toEqual([
      "rewards.toml: expected a file that can be read: it is a folder; name a file",
    ])
    expect(refusal({ files: { "rewards.toml": new Uint8Array([0x23, 0xff]) } })).toEqual([
      "rewards.toml: expected a file that can be read: it is not UTF-8",
    ])
  })

  test("a file named by a variable that cannot be read is a fault", () => {
    const files = { folder_of_it: "", binary: new Uint8Array([0x80]) }
    const env = {
      REWARDS_SERVER__PORT_FILE: "missing",
      REWARDS_SERVER__HOST_FILE: "",
      REWARDS_DB__PATH_FILE: ".",
      REWARDS_SERVICE__NAME_FILE: "binary",
      REWARDS_SERVER__BASE_URL_FILE: "a\0b",
    }
    expect(refusal({ files, env }).map((line) => line.replace(/ \(environment REWARDS_\w+/, ""))).toEqual([
      "server.port (missing)): expected a file that can be read: there is no such file",
      "server.host ()): expected a file that can be read: its name is empty",
      "db.path (.)): expected a file that can be read: it is a folder; name a file",
      "service.name (binary)): expected a file that can be read: it is not UTF-8",
      "server.base_url (a?b)): expected a file that can be read: it cannot be used as a file",
    ])
  })

  test.each([
    ["[server]\nport 1", "line 2 is not: Expected '=' after a key"],
    ["[server]\nport = 1\n\n# the port again\nport = 2\n", "line 5 is not: Cannot redefine key"],
    [
      "[server]\nport = 1\n[db]\n\n[server]\nhost = 'x'\n",
      "line 5 is not: [server] begins on line 1 already; put the settings there",
    ],
    ["[cors]\norigins = [\n  'https://a.example',\n", "line 2 is not"],
    ["[server\n", "line 1 is not: Expected ']' to close a table header"],
    ["[db]\npath = rewards.db", "line 2 is not: Strings must be quoted"],
  ])("a file that is not valid TOML is reported with the line: %j", (toml, problem) => {
    const lines = refusal({ toml })
    expect(lines).toEqual([expect.stringContaining(`rewards.toml: expected TOML; ${problem}`)])
  })
})

describe("no message shows a secret", () => {
  const hidden = "hunter2hunter2"

  const attempts: [string, Given][] = [
    ["a number in the file", { toml: "[security]\nsecret_key = 7357735773577357" }],
    ["a table in the file", { toml: `[security]\nsecret_key = { a = "${hidden}" }` }],
    ["a list in the file", { toml: `[email]\nsmtp_password = ["${hidden}"]` }],
    ["without quotes", { toml: `[security]\nsecret_key = ${hidden}` }],
    ["without its closing quote", { toml: `[security]\nsecret_key = "${hidden}\n` }],
    ["without equals sign", { toml: `[security]\nsecret_key "${hidden}"` }],
    ["with something behind it", { toml: `[security]\nsecret_key = '${hidden}'${hidden}` }],
    ["with a wrong escape", { toml: `[security]\nsecret_key = "${hidden}\\q"` }],
    ["in two spellings", { toml: `[security]\nsecret_key = "${hidden}"\nSECRET_KEY = "${hidden}"` }],
    ["too long in the environment", { env: { REWARDS_SECURITY__ADMIN_PASSWORD: hidden.repeat(100) } }],
    ["in place of its file's name", { env: { ...withoutSecret, REWARDS_SECURITY__SECRET_KEY_FILE: hidden } }],
    ["beside its file", { env: { REWARDS_SECURITY__SECRET_KEY: hidden, REWARDS_SECURITY__SECRET_KEY_FILE: hidden } }],
    [
      "under 32 bytes in production",
      { toml: `[server]\nprofile = "production"\n[security]\nsecret_key = "${hidden}"` },
    ],
    ["as an unknown name's value", { env: { REWARDS_SECURITY__SECRETKEY: hidden } }],
    ["as a password without user", { env: { REWARDS_EMAIL__SMTP_PASSWORD: hidden } }],
    ["in an address", { toml: `[server]\nbase_url = "https://ana:${hidden}@rewards.example.com"` }],
    ["as a number for another setting", { env: { REWARDS_SERVER__PORT: hidden } }],
    ["in a list", { env: { REWARDS_CORS__ORIGINS: `https://ana:${hidden}@ui.example.com` } }],
  ]
  test.each(attempts)("%s", (_, given) => {
    const message = refusal(given).join("\n")
    expect(message).not.toContain("hunter2")
    expect(message).not.toContain("7357")
  })
})
