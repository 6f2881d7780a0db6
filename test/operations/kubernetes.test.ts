import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet"
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget"
import { Service } from "kubernetes-models/v1/Service"
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount"
import { entries } from "../../src/config/settings.ts"
import { load } from "../config/support.ts"

const folder = join(import.meta.dir, "../../docs/operations/kubernetes")
const read = (path: string) => readFileSync(join(folder, path), "utf8")
const page = readFileSync(join(folder, "../kubernetes.md"), "utf8")

interface Kustomization {
  readonly resources: readonly string[]
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[]
  readonly secretGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[]
}

const kustomizationOf = (name: string) => Bun.YAML.parse(read(`${name}/kustomization.yaml`)) as Kustomization

/** The schemas of Kubernetes, which check names and kinds of all fields. */
const kinds = { Deployment, Ingress, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount, StatefulSet }
type Manifest = Record<string, unknown> & { readonly kind: keyof typeof kinds }

const manifestsOf = (name: string) =>
  kustomizationOf(name)
    .resources.filter((path) => path.endsWith(".yaml"))
    .map((path) => Bun.YAML.parse(read(`${name}/${path}`)) as Manifest)

const workloads = { sqlite: "StatefulSet", postgresql: "Deployment" } as const
type Way = keyof typeof workloads
const ways = Object.keys(workloads) as Way[]

interface Pod {
  readonly spec: {
    readonly securityContext: object
    readonly containers: readonly [
      {
        readonly args: readonly string[]
        readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
        readonly env: readonly { readonly name: string; readonly value: string }[]
        readonly volumeMounts: readonly { readonly name: string }[]
        readonly securityContext: object
        readonly livenessProbe: { readonly httpGet: object }
        readonly readinessProbe: { readonly httpGet: object }
      },
    ]
    readonly volumes: readonly { readonly name: string }[]
  }
  readonly metadata: { readonly labels: object }
}

interface Workload {
  readonly spec: {
    readonly replicas: number
    readonly selector: { readonly matchLabels: object }
    readonly template: Pod
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
  }
}

const workloadOf = (way: Way) => manifestsOf(way).find(({ kind }) => kind === workloads[way]) as unknown as Workload

const base = manifestsOf("base")
const inBase = <T>(kind: Manifest["kind"]) => base.find((one) => one.kind === kind) as unknown as { readonly spec: T }

test("every kustomization lists exactly the manifests of its folder", () => {
  for (const name of ["base", ...ways]) {
    const files = readdirSync(join(folder, name)).filter(
      (file) => /\.yaml$/.test(file) && file !== "kustomization.yaml",
    )
    const listed = kustomizationOf(name).resources.filter((path) => path !== "../base")
    expect(listed.toSorted()).toEqual(files.toSorted())
  }
  for (const way of ways) expect(kustomizationOf(way).resources).toContain("../base")
})

test("the manifests are valid by the schemas of Kubernetes, which know every field in them", () => {
  for (const manifest of ["base", ...ways].flatMap(manifestsOf)) {
    const isValid = (of: unknown) => {
      try {
        new kinds[manifest.kind](of as never).validate()
        return true
      } catch {
        return false
      }
    }
    expect(isValid(manifest)).toBe(true)
    // The schemas say nothing about unknown fields. A known one does not take a value of another kind.
    const unknown = fieldsOf(manifest).filter((path) => isValid(broken(manifest, path)))
    expect(unknown.map((path) => path.join("."))).toEqual([])
  }
})

/** The path of every field, also of those in others. */
function fieldsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...fieldsOf(inner).map((rest) => [key, ...rest])])
}

/** The manifest with an object in place of the text or number at this path, or a number in place of the object. */
function broken(manifest: Manifest, path: readonly string[]): unknown {
  const copy: unknown = structuredClone(manifest)
  const last = path.at(-1) ?? ""
  const holder = path.slice(0, -1).reduce((inner, key) => Reflect.get(Object(inner), key), copy)
  const value: unknown = Reflect.get(Object(holder), last)
  Reflect.set(Object(holder), last, typeof value === "object" ? 1.5 : {})
  return copy
}

test("with SQLite there is one replica with a volume, with PostgreSQL there are three and a disruption budget", () => {
  expect(workloadOf("sqlite").spec.replicas).toBe(1)
  expect(workloadOf("sqlite").spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(["data"])
  expect(workloadOf("postgresql").spec.replicas).toBe(3)
  expect(manifestsOf("postgresql").map(({ kind }) => kind)).toContain("PodDisruptionBudget")
})

test("service, network policy, budget and workload mean the same pods and ports", () => {
  for (const way of ways) {
    const { selector, template } = workloadOf(way).spec
    const { labels } = template.metadata
    expect(selector.matchLabels).toEqual(labels)
    const service = inBase<{ selector: object; ports: { targetPort: string }[] }>("Service").spec
    expect(service.selector).toEqual(labels)
    const policy = inBase<{ podSelector: { matchLabels: object }; ingress: { ports: { port: string }[] }[] }>(
      "NetworkPolicy",
    ).spec
    expect(policy.podSelector.matchLabels).toEqual(labels)
    const ports = template.spec.containers[0].ports.map(({ name }) => name)
    expect(policy.ingress.flatMap((rule) => rule.ports.map(({ port }) => port))).toEqual(ports)
    expect(ports).toContain(service.ports[0]?.targetPort ?? "")
  }
})

test("the pods have no root, capabilities or writable file system, and the probes of the server", () => {
  for (const way of ways) {
    const { spec } = workloadOf(way).spec.template
    const [container] = spec.containers
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    })
    expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "http" })
    expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" })
  }
})

test("every volume that is mounted exists", () => {
  for (const way of ways) {
    const { template, volumeClaimTemplates = [] } = workloadOf(way).spec
    const there = [
      ...template.spec.volumes.map(({ name }) => name),
      ...volumeClaimTemplates.map((of) => of.metadata.name),
    ]
    expect(template.spec.containers[0].volumeMounts.map(({ name }) => name).sort()).toEqual(there.sort())
  }
})

test("with these settings and secrets the server starts in production, on the ports of the pod", () => {
  for (const way of ways) {
    const { containers } = workloadOf(way).spec.template.spec
    const [{ env, ports }] = containers
    const variables = new Set(entries.map(({ variable }) => `${variable}_FILE`))
    expect(env.filter(({ name }) => !variables.has(name))).toEqual([])
    const generated = kustomizationOf(way).secretGenerator?.flatMap(({ files }) => files) ?? []
    const keys = generated.map((file) => file.split("=")[0] ?? "")
    expect(env.map(({ value }) => value.replace("/run/secrets/rewards/", "")).sort()).toEqual(keys.toSorted())
    for (const file of generated) expect(page).toContain(`> ${file.split("=")[1]}\n`)

    const files = Object.fromEntries(keys.map((key) => [key, `long enough a secret ${key} of this server`]))
    const config = load({
      toml: read(`${way}/settings.toml`),
      env: {
        REWARDS_SECURITY__SECRET_KEY: undefined,
        ...Object.fromEntries(env.map(({ name, value }) => [name, value.replace("/run/secrets/rewards/", "")])),
      },
      files: { ...files, database_url: "postgres://rewards:password@db.example.com/rewards" },
    })
    expect(config.server.profile).toBe("production")
    expect(ports.map(({ containerPort }) => containerPort)).toEqual([
      config.server.port,
      Number(config.metrics.listen?.split(":").at(-1)),
    ])
    expect(config.db.url === null).toBe(way === "sqlite")
    expect(config.db.url !== null || config.db.path.startsWith("/data/")).toBe(true)
    const ingress = inBase<{ rules: { host: string }[] }>("Ingress").spec
    expect(new URL(config.server.base_url ?? "").hostname).toBe(ingress.rules[0]?.host ?? "")
  }
})
