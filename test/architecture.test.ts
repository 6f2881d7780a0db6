import { expect, test } from "bun:test"
import { dirname, join } from "node:path"
import { comparedTables, ledgerTables, ownTables } from "../src/storage/copy/tables.ts"
import { migrations as postgresql } from "../src/storage/postgres/database/migrations.ts"
import { migrations as sqlite } from "../src/storage/sqlite/database/migrations.ts"

const root = join(import.meta.dir, "..")
const readText = (path: string) => Bun.file(join(root, path)).text()
/** Without those that a rebuild of a table creates and renames. */
const tables = [...tablesAfter(sqlite), ...tablesAfter(postgresql)]
const sources = await sourcesOf("src/**/*.{ts,tsx}")
const benchmarks = await sourcesOf("bench/**/*.ts")

interface Source {
  /** From the root of the repository, as in `src/domain/people/users.ts`. */
  readonly path: string
  readonly text: string
}

/** For each folder right under src/, and for main.ts: which others its files may import, besides their own. */
const arrows: Record<string, readonly string[]> = {
  domain: [],
  languages: ["domain"],
  support: [],
  net: ["support"],
  formats: ["domain", "languages", "support"],
  security: ["domain", "support"],
  config: ["domain", "net", "support"],
  storage: ["domain", "config", "security", "support"],
  jobs: ["domain", "support"],
  integrations: ["domain", "languages", "config", "formats", "net", "security", "support", "jobs"],
  stream: ["domain", "formats", "support"],
  metrics: ["domain", "support"],
  app: ["domain", "config", "net", "security", "support", "storage", "jobs", "integrations", "stream", "metrics"],
  http: ["domain", "config", "formats", "net", "security", "support", "integrations", "stream", "metrics", "app"],
  cli: [
    "domain",
    "languages",
    "config",
    "formats",
    "net",
    "security",
    "support",
    "storage",
    "integrations",
    "metrics",
    "app",
    "http",
  ],
  main: ["cli", "support"],
  ui: ["domain/languages.ts", "languages"],
}

/** The rooms of the domain. Each imports only from those before it; a file right in src/domain/ imports from none. */
const rooms = [
  "audit",
  "idempotency",
  "jobs",
  "people",
  "auth",
  "programme",
  "ledger",
  "allowances",
  "occasions",
  "recognition",
  "rewards",
  "exports",
  "push",
  "webhooks",
]

test("src/storage/copy/tables.ts lists every table of both databases; `rewards copy` would omit a missing one", () => {
  const known = new Set([...comparedTables.map(({ name }) => name), ledgerTables.transactions.name, ...ownTables])
  expect(tables.length).toBeGreaterThan(0)
  expect(tables.filter((name) => !known.has(name))).toEqual([])
})

test("docs/architecture/data-model.md names every table of both databases", async () => {
  const named = new Set((await readText("docs/architecture/data-model.md")).match(/\w+/g))
  expect(tables.length).toBeGreaterThan(0)
  expect(tables.filter((name) => !named.has(name))).toEqual([])
})

test("docs/architecture.md lists everything in src/, and the folders of its parts", async () => {
  const [, map = ""] = /^```text$(.*?)^```$/ms.exec(await readText("docs/architecture.md")) ?? []
  const inSrc = sources.map(({ path }) => path.split("/"))
  const paths = inSrc.flatMap(([, part = "", folder = "", ...rest]) => {
    if (folder === "") return [`src/${part}`]
    return rest.length === 0 || ["languages", "ui"].includes(part)
      ? [`src/${part}/`]
      : [`src/${part}/`, `src/${part}/${folder}/`]
  })
  expect([...new Set(paths)].filter((path) => !map.includes(path))).toEqual([])
})

test("the drawing of rooms in docs/architecture.md has every import, by one arrow or by several, and no arrow without one", async () => {
  const drawn = arrowsDrawnIn(await readText("docs/architecture.md"))
  const inSource = sources.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => join(dirname(path), specifier))
      .filter((target) => target.startsWith("src/"))
      .flatMap((target) => [`${areaOf(path)} ${areaOf(target)}`, `domain/${roomOf(path)} domain/${roomOf(target)}`]),
  )
  const isBetween = (arrow: string) => !/undefined|^(\S+) \1$/.test(arrow)
  const imports = new Set(inSource.filter(isBetween))

  expect(drawn.length).toBeGreaterThan(30)
  expect(drawn.filter((arrow) => !imports.has(arrow))).toEqual([])
  expect([...imports].filter((arrow) => !leads(drawn, arrow))).toEqual([])
  const needless = drawn.filter((arrow) =>
    leads(
      drawn.filter((other) => other !== arrow),
      arrow,
    ),
  )
  expect(needless).toEqual([])
})

/** Each as `from to`. */
function arrowsDrawnIn(page: string): string[] {
  const [, drawing = ""] = /^## Rooms$.*?^```mermaid$(.*?)^```$/ms.exec(page) ?? []
  return [...drawing.matchAll(/^ +(\S+) --> (.+)$/gm)].flatMap(([, from, to = ""]) =>
    to.split(" & ").map((one) => `${from} ${one}`),
  )
}

/** Whether arrows lead from one room to another. They have no circle. */
function leads(arrows: readonly string[], arrow: string): boolean {
  const [from, to] = arrow.split(" ")
  return arrows.some((one) => {
    const [begin, end] = one.split(" ")
    return begin === from && (end === to || leads(arrows, `${end} ${to}`))
  })
}

test("imports point inward: domain <- storage, jobs, integrations, stream, metrics <- app <- http <- cli <- main", () => {
  expect(sources.length).toBeGreaterThan(0)
  expect(sources.flatMap(wrongArrows)).toEqual([])
})

test(`the rooms of the domain import one way, types included: ${rooms.join(" <- ")}`, () => {
  expect(sources.flatMap(wrongRooms)).toEqual([])
  expect(new Set(sources.flatMap(({ path }) => roomOf(path) ?? []))).toEqual(new Set(rooms))

  const wrong = (path: string, text: string) => wrongRooms({ path, text })
  const user = 'import type { User } from "../people/model.ts"'
  expect(wrong("src/domain/audit/audit-log.ts", user)).toEqual([
    "src/domain/audit/audit-log.ts imports ../people/model.ts",
  ])
  expect(wrong("src/domain/clock.ts", 'import type { User } from "./people/model.ts"')).toHaveLength(1)
  expect(wrong("src/domain/unheard-of/a.ts", user)).toHaveLength(1)

  expect(wrong("src/domain/auth/logins.ts", user)).toEqual([])
  expect(wrong("src/domain/people/users.ts", 'import type { Store } from "../store.ts"')).toEqual([])
  expect(wrong("src/domain/store.ts", 'import type { PushStore } from "./push/ports.ts"')).toEqual([])
})

test("only src/storage/ has statements and the libraries that run them", () => {
  const wrong = ({ path, text }: Source) => !path.startsWith("src/storage/") && hasStatement(text)
  expect(sources.filter(wrong).map(({ path }) => path)).toEqual([])

  expect(hasStatement("export const all = sql`SELECT id FROM users`")).toBe(true)
  expect(hasStatement('client.run("DELETE FROM sessions WHERE expires_at < 5")')).toBe(true)
  expect(hasStatement('import { sql } from "../storage/sql.ts"')).toBe(true)
  expect(hasStatement('import { Database } from "bun:sqlite"')).toBe(true)
  expect(hasStatement('export const cure = "SELECT pg_reload_conf()"')).toBe(false)
})

test("only src/storage/ knows the kinds of databases, and there src/storage/open.ts alone chooses", () => {
  expect(sources.flatMap(wrongStores)).toEqual([])

  const wrong = (path: string, text: string) => wrongStores({ path, text })
  const backUp = 'import { backUp } from "../storage/sqlite/maintenance/backup.ts"'
  expect(wrong("src/cli/backup.ts", backUp)).toEqual([
    "src/cli/backup.ts imports ../storage/sqlite/maintenance/backup.ts",
  ])
  expect(wrong("src/app/app.ts", 'import type { Pool } from "../storage/postgres/database/pool.ts"')).toHaveLength(1)
  expect(wrong("src/cli/serve.ts", 'const file = await import("../storage/sqlite/store.ts")')).toHaveLength(1)
  expect(wrong("src/storage/jobs.ts", 'import { createReads } from "./sqlite/database/database.ts"')).toHaveLength(1)
  expect(wrong("src/storage/sqlite/a.ts", 'import { gather } from "../postgres/database/gather.ts"')).toHaveLength(1)

  expect(wrong("src/storage/open.ts", 'import { openStore } from "./sqlite/store.ts"')).toEqual([])
  expect(wrong("src/storage/sqlite/a/b.ts", 'import { openClient } from "../database/client.ts"')).toEqual([])
  expect(wrong("src/cli/backup.ts", 'import { maintenanceOf } from "../storage/open.ts"')).toEqual([])
})

test("a start loads no module that only some requests and commands need", () => {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  // The command line imports the command that it runs.
  const loaded = loadedBy("src/cli/serve.ts", texts, loadedBy("src/main.ts", texts))
  expect(loaded.size).toBeGreaterThan(100)
  expect(neededLater.filter((name) => loaded.has(name))).toEqual([])
})

test("a start creates no number or date format, because the first one loads all languages", () => {
  const script = `
    const refused = class { constructor() { throw new Error("made at the start") } }
    Object.assign(Intl, { NumberFormat: refused, DateTimeFormat: refused })
    await import("./src/cli/serve.ts")
    try { new Intl.NumberFormat() } catch { console.log("loaded, and a format would have been found") }`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: root })
  expect(stderr.toString()).toBe("")
  expect(stdout.toString()).toBe("loaded, and a format would have been found\n")
})

test("the check finds a module that a start would load, but not one imported on demand or only for its types", () => {
  const texts = new Map([
    ["src/main.ts", 'import { serve } from "./cli/serve.ts"\nserve()'],
    [
      "src/cli/serve.ts",
      'import type { Socket } from "node:net"\nimport { gzipSync } from "node:zlib"\n' +
        'export const serve = (socket: Socket) => import("nodemailer").then(() => gzipSync(""))',
    ],
  ])
  expect(neededLater.filter((name) => loadedBy("src/main.ts", texts).has(name))).toEqual(["node:zlib"])
})

test("a migration is SQL only: a text that no code is part of, and each is in the list of migrations", async () => {
  const files = await Array.fromAsync(new Bun.Glob("drizzle/**").scan({ cwd: root, onlyFiles: true }))
  expect(files.filter((path) => !/^drizzle\/(postgres\/)?\d{4}_\w+\.sql$/.test(path))).toEqual([])

  for (const [store, folder] of [
    ["sqlite", "drizzle"],
    ["postgres", "drizzle/postgres"],
  ] as const) {
    const text = await readText(`src/storage/${store}/database/migrations.ts`)
    const imported = [...text.matchAll(/^import (\w+) from "([^"]+)" with \{ type: "text" \}/gm)]
    const inFolder = files.filter((path) => dirname(path) === folder).sort()
    expect(imported.map(([, , path]) => path)).toEqual(inFolder.map((path) => `../../../../${path}`))
    const [, listed = ""] = /^export const migrations[^=]* = \[(.*?)\]$/ms.exec(text) ?? []
    expect([...listed.matchAll(/sql: (\w+)/g)].map(([, name]) => name)).toEqual(imported.map(([, name]) => name))
    expect(listed.match(/sql:/g)).toHaveLength(imported.length)
  }
})

test("the check finds an import that points outward, whatever its form", () => {
  const wrong = (path: string, text: string) => wrongArrows({ path, text })
  expect(wrong("src/integrations/mail/smtp.ts", 'import { createApp } from "../../app/app.ts"')).toEqual([
    "src/integrations/mail/smtp.ts imports ../../app/app.ts",
  ])
  expect(wrong("src/stream/hub.ts", 'import type {\n  Job,\n} from "../jobs/worker.ts"')).toHaveLength(1)
  expect(wrong("src/app/app.ts", 'import "../http/server.ts"')).toHaveLength(1)
  expect(wrong("src/app/app.ts", 'export const serve = () => import("../http/server.ts")')).toHaveLength(1)
  expect(wrong("src/http/routes/users.ts", 'export { run } from "../../cli/serve.ts"')).toHaveLength(1)
  expect(wrong("src/storage/sqlite/store.ts", 'import { clock } from "../../../test/support/clock.ts"')).toHaveLength(1)
  expect(wrong("src/support/log.ts", 'import { median } from "../../bench/figure.ts"')).toHaveLength(1)
  expect(wrong("src/unheard-of/a.ts", 'import { log } from "../support/log.ts"')).toHaveLength(1)

  expect(wrong("src/storage/sqlite/store.ts", 'import sql from "../../../drizzle/0000_init.sql"')).toEqual([])
  expect(wrong("src/http/routes/users.ts", 'import { views } from "../views.ts"\nimport { t } from "elysia"')).toEqual(
    [],
  )
  expect(wrong("src/config/template.ts", 'import type { Setting } from "./settings.ts"')).toEqual([])
})

test("the domain imports nothing from outside", () => {
  const wrong = (text: string) => wrongArrows({ path: "src/domain/people/users.ts", text })
  expect(wrong('import { Elysia } from "elysia"')).toEqual(["src/domain/people/users.ts imports elysia"])
  expect(wrong('import { Database } from "bun:sqlite"')).toHaveLength(1)
  expect(wrong('import { createHash } from "node:crypto"')).toHaveLength(1)
  expect(wrong('import type { Log } from "../../support/log.ts"')).toHaveLength(1)
  expect(wrong('import { version } from "../../../package.json"')).toHaveLength(1)

  expect(wrong('import type { Store } from "./store.ts"')).toEqual([])
})

test("a server looks names up without a thread: only src/net does, and what is handed an address", () => {
  expect(sources.filter(({ path }) => !mayLookUp(path)).flatMap(lookups)).toEqual([])
})

test("the check finds what looks a name up by itself", () => {
  const found = (text: string) => lookups({ path: "src/integrations/a.ts", text })
  expect(found('import { lookup } from "node:dns/promises"')).toHaveLength(1)
  expect(found('process.getBuiltinModule("node:dns")')).toHaveLength(1)
  expect(found("await fetch(url)")).toHaveLength(1)
  expect(found("tls.connect({ host })")).toHaveLength(1)
  expect(found("new S3Client({ endpoint })")).toHaveLength(1)
  expect(found('import { createFetch } from "../net/connecting.ts"\nawait fetch(url)')).toEqual([])
})

test("the domain never uses the process or the clock, and only main.ts uses argv, environment and exit status", () => {
  // `fetch` reads the proxies of the environment by itself, at each call, and this file must see the same.
  const others = sources.filter(({ path }) => path !== "src/net/proxies.ts")
  expect(others.flatMap(wrongMentions)).toEqual([])
})

test("the check finds a use of the process or the clock, but ignores comments", () => {
  const wrong = (path: string, text: string) => wrongMentions({ path, text })
  expect(wrong("src/domain/people/users.ts", "export const now = () => Date.now()")).toEqual([
    "src/domain/people/users.ts mentions Date.now",
  ])
  expect(wrong("src/domain/people/users.ts", "export const now = () => new Date()")).toHaveLength(1)
  expect(wrong("src/domain/people/users.ts", "export const now = () => new Date")).toHaveLength(1)
  expect(wrong("src/domain/people/users.ts", "export const pid = () => process.pid")).toHaveLength(1)
  expect(wrong("src/integrations/mail/smtp.ts", "export const host = process.env.SMTP")).toHaveLength(1)
  expect(wrong("src/integrations/mail/smtp.ts", "export const host = Bun.env.SMTP")).toHaveLength(1)
  expect(wrong("src/cli/serve.ts", "export const end = () => process.exit(1)")).toHaveLength(1)
  expect(wrong("src/cli/serve.ts", "export const fail = () => { process.exitCode = 1 }")).toHaveLength(1)
  expect(wrong("src/cli/serve.ts", 'import { argv } from "node:process"\nexport const args = argv')).toHaveLength(1)

  expect(wrong("src/main.ts", "process.exit(await run(process.argv, process.env))")).toEqual([])
  expect(
    wrong("src/domain/people/users.ts", "/** Never process.env, nor Date.now(). */\nexport const a = new Date(5)"),
  ).toEqual([])
})

test("the browser app imports nothing of the server but the types of its routes and error codes, and the words of its errors", () => {
  const wrong = (text: string) => wrongArrows({ path: "src/ui/server/api.ts", text })
  expect(wrong('import type { Api } from "../../http/api.ts"')).toEqual([])
  expect(wrong('import type { ErrorCode } from "../../http/errors.ts"')).toEqual([])
  expect(wrong('import { translatedRefusal } from "../../languages/refusals.ts"')).toEqual([])
  expect(wrong('import { createApi } from "../../http/api.ts"')).toHaveLength(1)
  expect(wrong('import type { User } from "../../domain/store.ts"')).toHaveLength(1)
})

test("one place decides who may log in", () => {
  const asking = sources.filter(
    ({ path, text }) => path.startsWith("src/domain/auth/") && /(?<!reward\.)\bisActive\b|deactivatedAt/.test(text),
  )
  expect(asking.map(({ path }) => path)).toEqual(["src/domain/auth/login-rights.ts"])
})

test("the server normalizes text in one place only, which checks its length first", () => {
  const server = sources.filter(({ path }) => areaOf(path) !== "ui")
  expect(server.filter(({ text }) => /\.normalize\(/.test(text)).map(({ path }) => path)).toEqual([
    "src/domain/text.ts",
  ])
})

test("there are no barrel files", () => {
  expect([...sources, ...benchmarks].filter(isBarrel).map(({ path }) => path)).toEqual([])

  expect(isBarrel({ path: "src/integrations/mail/index.ts", text: "export const a = 1" })).toBe(true)
  expect(isBarrel({ path: "src/integrations/mail/all.ts", text: 'export * from "./smtp.ts"' })).toBe(true)
  expect(
    isBarrel({ path: "src/integrations/mail/all.ts", text: 'export type {\n  Mailer,\n} from "./mailer.ts"' }),
  ).toBe(true)
  expect(isBarrel({ path: "src/integrations/mail/smtp.ts", text: 'export const from = "./smtp.ts"' })).toBe(false)
})

test("bun.lock has version 1, which every Bun can read, and names no registry", async () => {
  expect(lockFaults(await readText("bun.lock"))).toEqual([])

  expect(lockFaults('{ "lockfileVersion": 2 }')).toEqual(["its version is not 1"])
  expect(lockFaults('{ "lockfileVersion": 1, "a": ["a@1.0.0", "https://host/a.tgz"] }')).toEqual(["it holds a URL"])
})

test("no dependency runs an install script, because some report the installation to their vendor", async () => {
  const scripted = []
  for (const path of ["*", "@*/*"].flatMap((name) => [
    ...new Bun.Glob(`node_modules/${name}/package.json`).scanSync(root),
  ])) {
    const { name, scripts = {} } = JSON.parse(await readText(path))
    if (scripts.preinstall || scripts.install || scripts.postinstall) scripted.push(name)
  }
  expect(scripted).toContain("vue-demi")

  const { stdout } = Bun.spawnSync([process.execPath, "pm", "untrusted"], { cwd: root })
  const blocked = [...stdout.toString().matchAll(/node_modules\/(\S+) @/g)].map(([, name]) => name)
  expect(blocked.sort()).toEqual(scripted.sort())
})

test("README, CONTRIBUTING and .ci/run name the same Bun version as package.json", async () => {
  const { packageManager, engines } = JSON.parse(await readText("package.json"))
  expect(packageManager).toBe(`bun@${engines.bun}`)
  const texts = await Promise.all(["README.md", "CONTRIBUTING.md", ".ci/run"].map(readText))
  expect(texts.flatMap(bunVersions).filter((version) => version !== packageManager)).toEqual([])

  expect(bunVersions("npx -y bun@1.4.5 install && npx -y bun@latest run test")).toEqual(["bun@1.4.5", "bun@latest"])
})

test("README has the two set-up commands, and .ci/run reads the second from there", async () => {
  const { packageManager: bun } = JSON.parse(await readText("package.json"))
  const commands = (await readText("README.md")).split("\n").filter((line) => /^npx .* run (start|test)$/.test(line))
  expect(commands).toEqual([
    `npx -y ${bun} install --frozen-lockfile && npx -y ${bun} run start`,
    `npx -y ${bun} install --frozen-lockfile && npx -y ${bun} run test`,
  ])
  expect(await readText(".ci/run")).toContain("grep -m 1 '^npx .* run test$' README.md")
  const { jobs } = Bun.YAML.parse(await readText(".github/workflows/ci.yml")) as {
    jobs: { check: { steps: object[] } }
  }
  expect(jobs.check.steps.at(-1)).toEqual({ run: ".ci/run" })
})

function sourcesOf(pattern: string): Promise<Source[]> {
  const paths = [...new Bun.Glob(pattern).scanSync(root)].filter((path) => !path.endsWith(".d.ts"))
  return Promise.all(paths.map(async (path) => ({ path, text: await readText(path) })))
}

/** They put together what all rooms have: the ports, and the state of the store. */
const ofAllRooms = ["src/domain/store.ts", "src/domain/health.ts"]

/** `people` for `src/domain/people/users.ts`; undefined for a file that is in no room. */
const roomOf = (path: string): string | undefined => /^src\/domain\/([^/]+)\//.exec(path)?.[1]

function wrongRooms({ path, text }: Source): string[] {
  if (areaOf(path) !== "domain" || ofAllRooms.includes(path)) return []
  const own = roomOf(path)
  const place = own === undefined ? 0 : rooms.indexOf(own)
  const isWrong = (specifier: string) => {
    const room = roomOf(join(dirname(path), specifier))
    return room !== undefined && room !== own && (own === undefined || rooms.indexOf(room) > place || place < 0)
  }
  return importsOf(text)
    .filter(isWrong)
    .map((specifier) => `${path} imports ${specifier}`)
}

/** Where the browser app takes the types of the routes from the server. */
const apiOfUi = "src/ui/server/api.ts"

/** Modules that take one to seven milliseconds of a start. */
const neededLater = [
  "src/cli/commands.ts",
  "src/cli/help.ts",
  "src/cli/demo/fill.ts",
  "src/http/api-v1.ts",
  "src/http/openapi.ts",
  "src/http/plain-server.ts",
  "src/integrations/acme/renewal.ts",
  "node:crypto",
  "node:dns/promises",
  "node:fs/promises",
  "node:http",
  "node:https",
  "node:net",
  "node:readline",
  "node:stream",
  "node:tls",
  "node:zlib",
  "@elysiajs/openapi",
  "@simplewebauthn/server",
  "nodemailer",
  "openid-client",
  "otpauth",
  "prom-client",
  "unhomoglyph",
]

/** Every module that `path` imports before anything runs, itself or through others. */
function loadedBy(path: string, texts: ReadonlyMap<string, string>, loaded = new Set<string>()): Set<string> {
  if (loaded.has(path)) return loaded
  loaded.add(path)
  const text = texts.get(path)
  if (text === undefined) return loaded
  for (const { path: specifier, kind } of new Bun.Transpiler({ loader: "ts" }).scanImports(text))
    if (kind === "import-statement")
      loadedBy(specifier.startsWith(".") ? join(dirname(path), specifier) : specifier, texts, loaded)
  return loaded
}

/** The types of the HTTP interface that the client in the app is made of. */
const typesForUi = ["{ Api }", "{ ErrorCode }"]

function wrongArrows({ path, text }: Source): string[] {
  const allowed = arrows[areaOf(path)]
  if (allowed === undefined) return [`${path} is in no known part of src/`]
  const isWrong = (specifier: string) => {
    if (!specifier.startsWith(".")) return areaOf(path) === "domain"
    if (path === apiOfUi && typesForUi.some((type) => text.includes(`import type ${type} from "${specifier}"`)))
      return false
    const target = join(dirname(path), specifier)
    if (!target.startsWith("src/"))
      return areaOf(path) === "domain" || !/^(package\.json$|drizzle\/|node_modules\/)/.test(target)
    if (areaOf(target) === areaOf(path)) return false
    return !allowed.some((name) => name === areaOf(target) || target === `src/${name}`)
  }
  return importsOf(text)
    .filter(isWrong)
    .map((specifier) => `${path} imports ${specifier}`)
}

/** Imports of a kind of database from outside its folder. */
function wrongStores({ path, text }: Source): string[] {
  if (path === "src/storage/open.ts") return []
  const kindOf = (file: string) => /^src\/storage\/(sqlite|postgres)\//.exec(file)?.[1]
  const isWrong = (specifier: string) => {
    const kind = specifier.startsWith(".") ? kindOf(join(dirname(path), specifier)) : undefined
    return kind !== undefined && kind !== kindOf(path)
  }
  return importsOf(text)
    .filter(isWrong)
    .map((specifier) => `${path} imports ${specifier}`)
}

/** `domain` for `src/domain/people/users.ts`, `main` for `src/main.ts`. */
const areaOf = (path: string) => path.split("/")[1]?.replace(/\.ts$/, "") ?? ""

/** Read from the text, not by a transpiler: that drops imports of types. */
function importsOf(text: string): string[] {
  const forms = /^(?:import|export)\b[^"'`;=()]*\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm
  return [...text.matchAll(forms)].map((match) => match[1] ?? match[2] ?? match[3] ?? "")
}

/** The tables that all migrations together leave. */
function tablesAfter(migrations: readonly { readonly sql: string }[]): Set<string> {
  const found = new Set<string>()
  const changes = /^(?:CREATE TABLE (\w+)|DROP TABLE (\w+)|ALTER TABLE (\w+) RENAME TO (\w+))/gm
  for (const { sql } of migrations)
    for (const [, created, dropped, renamed, name] of sql.matchAll(changes)) {
      for (const gone of [dropped, renamed]) if (gone) found.delete(gone)
      for (const added of [created, name]) if (added) found.add(added)
    }
  return found
}

function wrongMentions({ path, text }: Source): string[] {
  const outsideMain =
    /\b(?:process|Bun)\.(?:argv|env|exit|exitCode)\b|\bimport\.meta\.env\b|(?:from |import |\()"(?:node:)?process"/g
  const inDomain = /\bprocess\.\w*|\bDate\.now\b|\bperformance\.now\b|\bnew Date\b(?!\([^)])/g
  // Takes the comments away.
  const code = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" }).transformSync(text)
  const forbidden = areaOf(path) === "domain" ? [inDomain, outsideMain] : areaOf(path) === "main" ? [] : [outsideMain]
  const found = new Set(forbidden.flatMap((pattern) => code.match(pattern) ?? []))
  return [...found].map((mention) => `${path} mentions ${mention}`)
}

/**
 * Commands are processes of their own, also those that a server starts: backups are sent to a bucket by one. The client of
 * PostgreSQL looks up its host by itself; without its database a server does nothing anyway.
 */
const mayLookUp = (path: string): boolean =>
  ["net", "cli", "ui"].includes(areaOf(path)) ||
  ["src/integrations/s3/bucket.ts", "src/storage/postgres/database/connection.ts"].includes(path)

function lookups({ path, text }: Source): string[] {
  const byThread =
    /"node:dns\b|\b(?:Bun|net|tls)(?:\(\))?\.connect\(|\bcreateConnection\(\{ host|\bS3Client\(|\bnew (?:Bun\.)?SQL\(/g
  const hasOurs = importsOf(text).some((specifier) => specifier.endsWith("/net/connecting.ts"))
  const plainFetch = hasOurs ? [] : (text.match(/(?<![.\w])fetch\((?!request)/g) ?? [])
  return [...(text.match(byThread) ?? []), ...plainFetch].map((mention) => `${path} mentions ${mention}`)
}

const hasStatement = (text: string): boolean =>
  /\bSELECT\b[^;]*?\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \S+ SET\b|\bPRAGMA\b/.test(text) ||
  importsOf(text).some((specifier) =>
    /^(bun:sqlite|node:sqlite|drizzle-orm.*)$|\/storage\/(sql|tables)\.ts$/.test(specifier),
  )

const isBarrel = ({ path, text }: Source) =>
  /\/index\.tsx?$/.test(path) || /^export\s+(type\s+)?(\*|\{[^}]*\}\s*from\b)/m.test(text)

function lockFaults(text: string): string[] {
  const faults = []
  if (!/"lockfileVersion": 1\b/.test(text)) faults.push("its version is not 1")
  if (/https?:\/\//.test(text)) faults.push("it holds a URL")
  return faults
}

const bunVersions = (text: string): string[] => text.match(/\bbun@[\w.-]+/g) ?? []
