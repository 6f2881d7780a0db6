import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { entries } from "../../src/config/settings.ts"
import { operator, refused } from "./operator.ts"

interface Shown {
  readonly setting: string
  readonly value: unknown
  readonly source: string
}

const secrets = {
  REWARDS_SECURITY__ADMIN_PASSWORD: "swordfish",
  REWARDS_EMAIL__SMTP_USER: "mailer",
  REWARDS_EMAIL__SMTP_PASSWORD: "swordfish",
}

test("prints every setting with the value in force and its source, in the order of the table", async () => {
  await using operates = await operator()
  writeFileSync(
    `${operates.folder}/rewards.toml`,
    '[server]\nport = 81\nhost = "::1"\n[cors]\norigins = ["http://a"]\n',
  )
  const env = { REWARDS_SERVER__PORT: "82" }

  const { stdout } = await operates.types(["config", "--json", "--db", "other.db"], { env })

  const shown: Shown[] = JSON.parse(stdout)
  expect(shown.map(({ setting }) => setting)).toEqual(entries.map(({ path }) => path))
  const about = (setting: string) => shown.find((one) => one.setting === setting)
  expect(about("server.host")).toEqual({ setting: "server.host", value: "::1", source: "rewards.toml" })
  expect(about("server.port")).toEqual({
    setting: "server.port",
    value: 82,
    source: "environment REWARDS_SERVER__PORT",
  })
  expect(about("server.base_url")).toEqual({ setting: "server.base_url", value: null, source: "not set" })
  expect(about("cors.origins")).toMatchObject({ value: ["http://a"], source: "rewards.toml" })
  expect(about("db.path")).toEqual({ setting: "db.path", value: "other.db", source: "flag --db" })
  expect(about("session.same_site")).toMatchObject({ value: "lax", source: "built-in default" })
})

test("as a table for people, a row a setting", async () => {
  await using operates = await operator()

  const { stdout } = await operates.types(["config"])

  const lines = stdout.trimEnd().split("\n")
  expect(lines).toHaveLength(entries.length + 1)
  expect(lines[0]).toMatch(/^setting +value +source$/)
  expect(lines[1]).toMatch(/^server\.host +"127\.0\.0\.1" +built-in default$/)
  expect(stdout).toMatch(/^server\.base_url +not set$/m)
})

test("no secret is shown, wherever it comes from; that there is none is", async () => {
  await using operates = await operator()
  writeFileSync(`${operates.folder}/secret`, "swordfish")
  const env = { ...secrets, REWARDS_SECURITY__SECRET_KEY_FILE: "secret" }

  for (const args of [["config"], ["config", "--json"]]) {
    const { stdout, stderr } = await operates.types(args, { env })
    expect(stdout + stderr).not.toContain("swordfish")
    expect(stdout).toContain("environment REWARDS_SECURITY__SECRET_KEY_FILE (secret)")
    expect(stdout.match(/\(hidden\)/g)).toHaveLength(3)
  }
  expect((await operates.types(["config"])).stdout).toMatch(/^security\.secret_key +not set$/m)
})

test("settings that cannot be used are refused with every fault", async () => {
  await using operates = await operator()

  expect(await operates.types(["config"], { env: { REWARDS_SERVER__PORT: "http" } })).toEqual(
    refused(
      "the configuration cannot be used:",
      "  server.port (environment REWARDS_SERVER__PORT): expected a whole number from 0 to 65535",
    ),
  )
})
