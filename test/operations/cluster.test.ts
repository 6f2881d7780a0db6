import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { entries } from "../../src/config/settings.ts"

const folder = join(import.meta.dir, "../../docs/operations/cluster")
const read = (name: string) => readFileSync(join(folder, name), "utf8")

interface Service {
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
const processes = ["app1", "app2"]

test("the composition has two processes, a proxy, and PostgreSQL with a standby", () => {
  expect(Object.keys(services).sort()).toEqual(["app1", "app2", "primary", "proxy", "standby"])
  expect(services.app1).toEqual(services.app2)
})

test("every secret, volume, file and service that it names exists", () => {
  expect(new Set(all.flatMap((service) => service.secrets ?? []))).toEqual(new Set(Object.keys(secrets)))
  const mounted = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(":")[0] ?? "")
  const named = mounted.filter((source) => !source.startsWith("./"))
  expect(new Set(named)).toEqual(new Set(Object.keys(volumes)))
  expect(mounted.filter((source) => source.startsWith("./") && !existsSync(join(folder, source)))).toEqual([])
  expect(all.flatMap((service) => Object.keys(service.depends_on ?? {})).filter((name) => !services[name])).toEqual([])
})

test("the processes are given settings that exist, and secrets from files that are mounted", () => {
  const variables = new Set(entries.flatMap(({ variable }) => [variable, `${variable}_FILE`]))
  const given = Object.entries(services.app1?.environment ?? {})
  expect(given.length).toBeGreaterThan(5)
  expect(given.filter(([variable]) => !variables.has(variable))).toEqual([])
  const files = given.filter(([variable]) => variable.endsWith("_FILE")).map(([, file]) => file)
  expect(new Set(files)).toEqual(new Set(services.app1?.secrets?.map((name) => `/run/secrets/${name}`)))
})

test("the proxy's address is the one that the processes trust, and both proxies know both processes", () => {
  const address = services.proxy?.networks?.default.ipv4_address ?? ""
  expect(services.app1?.environment?.REWARDS_SERVER__TRUSTED_PROXIES).toBe(address)
  expect(read("Caddyfile")).toContain(`reverse_proxy ${processes.map((name) => `${name}:8000`).join(" ")} {`)
  const upstreams = [...read("nginx.conf").matchAll(/^ {2}server (\w+):8000/gm)].map(([, name]) => name)
  expect(upstreams).toEqual(processes)
})

test("the scripts of the database end at the first error", () => {
  for (const name of ["primary.sh", "standby.sh"]) {
    expect(read(name)).toMatch(/^set -eu?$/m)
    expect(Bun.spawnSync(["bash", "-n", join(folder, name)]).exitCode).toBe(0)
  }
})
