import { expect, test } from "bun:test"
import { join } from "node:path"
import { namesOf } from "../metrics/exposition.ts"
import { startTestServer } from "../support/server.ts"

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
interface Rule {
  readonly alert: string
  readonly expr: string
}
/** A use of a metric, with the matchers behind it. */
interface Use {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly pattern: string }[]
}

const read = (name: string) => Bun.file(join(import.meta.dir, "../../docs/operations", name)).text()
const guide = await read("monitoring.md")
const panels: readonly Panel[] = JSON.parse(await read("grafana.json")).panels
const { groups } = Bun.YAML.parse(await read("alerts.yml")) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const exposed = await exposition()
const exported = namesOf(exposed)

for (const [what, exprs] of [
  ["dashboard", panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))],
  ["alerts", rules.map(({ expr }) => expr)],
] as const)
  test(`the ${what} use only metrics, labels and values that are exported`, () => {
    const uses = exprs.flatMap(usesOf)
    expect(uses.length).toBeGreaterThan(10)
    expect(uses.filter((use) => !isExported(use))).toEqual([])
  })

test("the check finds a metric, a label and a value that are not exported", () => {
  const exportedIn = (expr: string) => usesOf(expr).map(isExported)
  expect(exportedIn('rate(rewards_jobs{state="available"}[5m]) / rewards_wal_bytes')).toEqual([true, true])
  expect(exportedIn("rate(rewards_job[5m])")).toEqual([false])
  expect(exportedIn('rewards_jobs{status="available"}')).toEqual([false])
  expect(exportedIn('rewards_jobs{state="waiting"}')).toEqual([false])
  expect(exportedIn('rewards_http_request_duration_seconds_count{route="/transaction/:name/"}')).toEqual([false])
})

test("the guide lists exactly the exported metrics", () => {
  const listed = [...guide.matchAll(/^\| `((?:rewards|process)_\w+)` \|/gm)].map(([, name]) => name)
  const declared = [...exposed.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(declared.sort())
})

test("the guide says what to do about every alert, and about every part of /readyz", () => {
  const sections = [...guide.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(rules.map(({ alert }) => alert))
  const parts = [...exposed.matchAll(/^rewards_ready\{check="(\w+)"\}/gm)].map(([, name]) => name)
  expect([...guide.matchAll(/^\| `(\w+)` \| .* \| .* \|$/gm)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(parts),
  )
})

/** What a server exports that has been asked for a little of everything. */
async function exposition(): Promise<string> {
  await using server = await startTestServer({ settings: { "metrics.listen": "127.0.0.1:0" } })
  const ana = await server.person("Ana")
  await server.grant(ana, 1)
  await ana.post("/transaction/ana/", { value: 1 })
  await server.anybody.submit("/login", { username: "ana", password: "wrong" })
  return (await server.app.metrics?.text()) ?? ""
}

function usesOf(expr: string): Use[] {
  return [...expr.matchAll(/\b((?:rewards|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = "", inside = ""]) => ({
    metric,
    matchers: [...inside.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = "", pattern = ""]) => ({ label, pattern })),
  }))
}

/** What Prometheus itself adds may be asked for as well; statuses come from whatever happens. */
function isExported({ metric, matchers }: Use): boolean {
  const samples = exposed.split("\n").filter((line) => new RegExp(`^${metric}[ {]`).test(line))
  const fits = ({ label, pattern }: Use["matchers"][number]) => {
    if (["instance", "job"].includes(label)) return true
    const values = samples.map((line) => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1])
    if (label === "status") return values.every((value) => value !== undefined)
    return values.some((value) => value !== undefined && new RegExp(`^(?:${pattern})$`).test(value))
  }
  return exported.includes(metric) && matchers.every(fits)
}
