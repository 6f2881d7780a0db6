import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseDatabaseUrl } from "../../src/config/database-url.ts"
import { entries } from "../../src/config/settings.ts"
import { load } from "../config/support.ts"

const folder = join(import.meta.dir, "../../docs/operations/cluster")
const read = (name: string) => readFileSync(join(folder, name), "utf8")

interface Service {
  readonly image?: string
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
  readonly depends_on?: Readonly<Record<string, object>>
}

const { services, secrets, volumes } = Bun.YAML.parse(read("compose.yaml")) as {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, object>
}
const all = Object.values(services)
const page = readFileSync(join(folder, "../postgresql.md"), "utf8")
const dockerfile = readFileSync(join(folder, "../../../Dockerfile"), "utf8")
const [, databaseUrl = ""] = /printf '(postgres:\S+)'/.exec(page.replace("%s", "password")) ?? []
const processes = ["app1", "app2"]

test("the Compose file has two processes, a proxy, and PostgreSQL with a standby", () => {
  expect(Object.keys(services).sort()).toEqual(["app1", "app2", "primary", "proxy", "standby"])
  expect(services.app1).toEqual(services.app2)
})

test("every secret, volume, file and service that it uses exists", () => {
  expect(new Set(all.flatMap((service) => service.secrets ?? []))).toEqual(new Set(Object.keys(secrets)))
  const mounted = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(":")[0] ?? "")
  const named = mounted.filter((source) => !source.startsWith("./"))
  expect(new Set(named)).toEqual(new Set(Object.keys(volumes)))
  expect(mounted.filter((source) => source.startsWith("./") && !existsSync(join(folder, source)))).toEqual([])
  expect(all.flatMap((service) => Object.keys(service.depends_on ?? {})).filter((name) => !services[name])).toEqual([])
})

test("the processes get settings that exist, and secrets from mounted files", () => {
  const variables = new Set(entries.flatMap(({ variable }) => [variable, `${variable}_FILE`]))
  const given = Object.entries(services.app1?.environment ?? {})
  expect(given.length).toBeGreaterThan(5)
  expect(given.filter(([variable]) => !variables.has(variable))).toEqual([])
  const files = given.filter(([variable]) => variable.endsWith("_FILE")).map(([, file]) => file)
  expect(new Set(files)).toEqual(new Set(services.app1?.secrets?.map((name) => `/run/secrets/${name}`)))
})

test("with these settings the processes start in production, on the port that the proxies use", () => {
  const inFiles = Object.entries(services.app1?.environment ?? {}).map(([variable, value]) => [
    variable,
    value.replace("/run/secrets/", ""),
  ])
  const files = Object.fromEntries(Object.keys(secrets).map((name) => [name, `${"long enough a secret ".repeat(2)}\n`]))
  const given = { env: Object.fromEntries(inFiles), files: { ...files, database_url: databaseUrl } }
  const config = load({ ...given, env: { ...given.env, REWARDS_SECURITY__SECRET_KEY: undefined } })
  expect(config.server).toMatchObject({ profile: "production", port: 8000 })
  expect(config.db.url).not.toBeNull()
  expect(dockerfile).toContain("ENV REWARDS_SERVER__HOST=0.0.0.0\nEXPOSE 8000\n")
  const { host } = new URL(config.server.base_url ?? "")
  expect(read("Caddyfile")).toContain(`\n${host} {\n`)
  expect(read("nginx.conf").match(/server_name \S+;/g)).toEqual([`server_name ${host};`, `server_name ${host};`])
})

test("the page creates every secret, and a database URL with both servers, their user and their database", () => {
  const written = [...page.matchAll(/> secrets\/(\w+)/g)].map(([, name]) => name)
  expect(new Set(written)).toEqual(new Set(Object.keys(secrets)))
  for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`)
  const environment = services.primary?.environment
  expect(parseDatabaseUrl(databaseUrl)).toMatchObject({
    hosts: [{ host: "primary" }, { host: "standby" }],
    user: environment?.POSTGRES_USER,
    database: environment?.POSTGRES_DB,
  })
})

test("both database servers have the same version, keep their data on a volume, and are checked with their own user", () => {
  for (const name of ["primary", "standby"]) {
    const { image = "", volumes = [], healthcheck, environment } = services[name] ?? {}
    expect(image).toBe("postgres:17") // from 18 on, the image keeps its data elsewhere
    expect(volumes).toContain(`${name}:/var/lib/postgresql/data`)
    expect(healthcheck?.test).toEqual([
      "CMD",
      "pg_isready",
      "--host=127.0.0.1",
      `--username=${environment?.POSTGRES_USER}`,
    ])
  }
})

test("the processes trust the proxy's address, and both proxies know both processes", () => {
  const address = services.proxy?.networks?.default.ipv4_address ?? ""
  expect(services.app1?.environment?.REWARDS_SERVER__TRUSTED_PROXIES).toBe(address)
  expect(read("Caddyfile")).toContain(`reverse_proxy ${processes.map((name) => `${name}:8000`).join(" ")} {`)
  const upstreams = [...read("nginx.conf").matchAll(/^ {2}server (\w+):8000/gm)].map(([, name]) => name)
  expect(upstreams).toEqual(processes)
})

test("the database scripts end at the first error", () => {
  for (const name of ["primary.sh", "standby.sh"]) {
    expect(read(name)).toMatch(/^set -eu?$/m)
    expect(Bun.spawnSync(["bash", "-n", join(folder, name)]).exitCode).toBe(0)
  }
})
