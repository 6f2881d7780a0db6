import { expect, test } from "bun:test"
import { chmodSync, rmSync, writeFileSync } from "node:fs"
import type { Finding } from "../../src/cli/doctor/finding.ts"
import { plainly } from "../storage/files.ts"
import { createAuthority } from "../support/authority.ts"
import { misused, type Operator, operator } from "./operator.ts"

const secret = "a secret for tests alone, 32 bytes and more"
const env = { REWARDS_SECURITY__SECRET_KEY: secret, REWARDS_SERVER__PORT: "1" }

async function findings(operates: Operator, more: Readonly<Record<string, string>> = {}) {
  const { stdout, ...rest } = await operates.types(["doctor", "--json"], { env: { ...env, ...more } })
  return { ...rest, found: JSON.parse(stdout) as Finding[] }
}

const verdictOf = (found: readonly Finding[], check: string) =>
  found.filter((finding) => finding.check === check).map(({ verdict }) => verdict)

test("doctor prints a line with a cure for each finding; without a bad finding the exit status is 0", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])

  const { status, stdout, stderr } = await operates.types(["doctor"], { env })

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  const lines = stdout.trimEnd().split("\n")
  expect(lines[0]).toBe("verdict  check      finding")
  expect(lines).toContain("warn     admin      admin has the default password; `rewards user set-password admin`")
  expect(lines).toContain("ok       database   opens, and SQLite finds no damage")
  expect(lines.slice(1).map((line) => line.split(/ +/)[1])).toEqual([
    "version",
    "settings",
    "settings",
    "settings",
    "settings",
    "files",
    "disk",
    "sync",
    "database",
    "watermark",
    "admin",
    "jobs",
    "backup",
    "mail",
    "server",
    "clock",
  ])
})

test("the newest backup is found wherever it was written, also in the backups folder after a restore", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])
  const elsewhere = `${operates.folder}/elsewhere.db`
  const age = async () => (await findings(operates)).found.find(({ check }) => check === "backup")?.message
  const hoursAgo = (hours: number) => ({ now: () => Date.now() - hours * 3_600_000 - 1000 })
  expect(await age()).toBe("none yet")

  await operates.types(["backup", elsewhere], hoursAgo(9))
  expect(await age()).toBe("the newest is 9 h old")
  await operates.types(["backup"], hoursAgo(5))
  expect(await age()).toBe("the newest is 5 h old")
  await operates.types(["restore", elsewhere])
  expect(await age()).toBe("the newest is 5 h old")
})

test("before the first start, doctor reports no database and creates none", async () => {
  await using operates = await operator()

  const { status, found } = await findings(operates)

  expect(status).toBe(0)
  expect(found).toContainEqual({
    check: "database",
    verdict: "ok",
    message: "does not exist yet: the first start creates it",
    cure: null,
  })
  expect([...new Bun.Glob("**").scanSync({ cwd: operates.folder, onlyFiles: false })]).toEqual([])
})

test("unusable settings are reported one by one, and nothing else is checked", async () => {
  await using operates = await operator()

  const { status, stderr, found } = await findings(operates, {
    REWARDS_SERVER__PORT: "http",
    REWARDS_SECURITY__SECRET_KEY: "",
  })

  expect({ status, stderr }).toEqual({ status: 1, stderr: "2 findings are bad\n" })
  expect(found).toEqual([
    {
      check: "settings",
      verdict: "bad",
      message: "security.secret_key cannot be used",
      cure: "give a text that is not empty (environment REWARDS_SECURITY__SECRET_KEY)",
    },
    {
      check: "settings",
      verdict: "bad",
      message: "server.port cannot be used",
      cure: "give a whole number from 0 to 65535 (environment REWARDS_SERVER__PORT)",
    },
  ])
})

test("a settings file that holds a secret, or a secret's own file, is bad if everybody can read it", async () => {
  await using operates = await operator()
  const [toml, file] = [`${operates.folder}/rewards.toml`, `${operates.folder}/password`]
  writeFileSync(toml, "[server]\nhost = '::1'\n", { mode: 0o644 })
  expect(verdictOf((await findings(operates)).found, "files")).toEqual(["ok"])

  writeFileSync(toml, '[email]\nsmtp_user = "u"\n[security]\nadmin_password = "swordfish"\n')
  writeFileSync(file, "swordfish")
  chmodSync(file, 0o644)
  const { status, found } = await findings(operates, { REWARDS_EMAIL__SMTP_PASSWORD_FILE: "password" })

  expect(status).toBe(1)
  expect(found.filter(({ check }) => check === "files").map(({ cure }) => cure)).toEqual([
    `chmod o= ${toml}`,
    `chmod o= ${file}`,
  ])
  expect(JSON.stringify(found)).not.toContain("swordfish")
})

test("a file that is no database of rewards is bad, with the cure", async () => {
  await using operates = await operator()
  writeFileSync(operates.database, "Dear Ana,\nthese are no points.\n".repeat(100), { mode: 0o600 })

  const { status, found } = await findings(operates)

  expect(status).toBe(1)
  expect(found).toContainEqual({
    check: "database",
    verdict: "bad",
    message: "it is not a database of rewards",
    cure: "name another file in db.path",
  })
})

test("a database that existed before and is now missing is bad", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "1"])
  rmSync(operates.database)

  const { status, found } = await findings(operates)

  expect(status).toBe(1)
  expect(found.filter(({ check }) => check === "database")).toEqual([
    {
      check: "database",
      verdict: "bad",
      message: "it is missing, but its watermark file is there",
      cure: expect.stringContaining("rewards restore FILE"),
    },
  ])
})

test("a clock earlier than the last transaction is bad", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "1"], { now: () => Date.now() + 3_600_000 })

  expect(verdictOf((await findings(operates)).found, "clock")).toEqual(["bad"])
})

test("the certificate is checked: its files, its dates and its names", async () => {
  await using operates = await operator()
  const authority = await createAuthority()
  const now = Date.now()
  const year = { notBefore: new Date(now - 1000), notAfter: new Date(now + 365 * 24 * 3_600_000) }
  const certified = async (name: string, validity?: typeof year) => {
    const { cert, key } = await authority.issue([name], validity)
    writeFileSync(`${operates.folder}/cert.pem`, cert)
    writeFileSync(`${operates.folder}/key.pem`, key, { mode: 0o600 })
    const { found } = await findings(operates, {
      REWARDS_SERVER__TLS_CERT: "cert.pem",
      REWARDS_SERVER__TLS_KEY: "key.pem",
      REWARDS_SERVER__BASE_URL: "https://rewards.example.com",
    })
    return found.filter(({ check }) => check === "certificate").map(({ verdict, message }) => `${verdict}: ${message}`)
  }

  expect(await certified("rewards.example.com", year)).toEqual(["ok: cert.pem and its key match"])
  expect(await certified("rewards.example.com")).toEqual([expect.stringMatching(/^warn: the certificate expires on /)])
  expect(await certified("other.example.com", year)).toEqual(["bad: it is not for rewards.example.com"])
  const { found } = await findings(operates, {
    REWARDS_SERVER__TLS_CERT: "none.pem",
    REWARDS_SERVER__TLS_KEY: "key.pem",
  })
  expect(verdictOf(found, "certificate")).toEqual(["bad"])
})

test("doctor takes no arguments", async () => {
  await using operates = await operator()

  expect(await operates.types(["doctor", "all"])).toEqual(
    misused("no arguments expected", "See: rewards doctor --help"),
  )
})

test("a database that serve refuses is bad, for the same reason", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "5"])
  {
    using client = plainly(operates.database)
    client.run("UPDATE balances SET value = 1000 WHERE value = 5")
  }

  const { found } = await findings(operates)
  const { stderr } = await operates.types(["serve"], { env })

  const fault = "balances: the balance of ana is 1000 instead of 5"
  expect(found).toContainEqual({
    check: "database",
    verdict: "bad",
    message: fault,
    cure: "`rewards restore FILE`; see `rewards verify` for details",
  })
  expect(stderr).toContain(fault)
})
