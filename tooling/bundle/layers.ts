import { resolve } from "node:path"
import type { BunPlugin } from "bun"
import { screenModules } from "../../src/ui/addresses.ts"

/** The parts of Bun's build metadata that are used here: modules and files by path. */
export interface Graph {
  readonly inputs: Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
  readonly outputs: Record<
    string,
    { readonly entryPoint?: string; readonly inputs: Record<string, { readonly bytesInOutput: number }> }
  >
}

/** Texts, and the screens before the log-in: these do not load the modules that other screens share. */
const light: readonly string[] = [
  "src/languages/",
  ...[screenModules.login, screenModules.forgot, screenModules.reset].map((screen) => `src/ui/${screen}`),
]

/** Screens that have much in common: what only these share is not loaded with the others. */
const groups: Readonly<Record<string, readonly string[]>> = {
  /** The feed and the box to give points. */
  thanks: ["screens/home/", "screens/person/", "screens/recognition.tsx", "screens/team/thanking.tsx", "transfer/"],
  /** Filters by a person. The feed loads its own later. */
  filters: ["screens/history/", "feed/filter-fields.tsx"],
  /** Forms and lists of what is seldom changed. */
  desk: ["screens/admin/", "screens/me/", "screens/rewards/", "second-factor/"],
}

/**
 * Bun makes one file for each set of modules that the same screens share: forty files on a first visit. This plugin
 * makes them few: `core`, which every page needs, `kit`, which the screens after the log-in share, and one for each group of
 * screens. Every entry point imports its layer, so that Bun puts the modules of the layer into one shared file.
 */
export function layersOf({ inputs, outputs }: Graph): BunPlugin {
  const kept = new Set(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([module, { bytesInOutput }]) => (bytesInOutput > 0 ? [module] : [])),
    ),
  )
  const begins = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  const main = begins.filter((module) => module.endsWith("src/ui/main.tsx"))
  const isLight = (module: string) => main.includes(module) || light.some((one) => module.includes(one))
  const groupOf = (module: string) =>
    Object.keys(groups).find((name) => groups[name]?.some((one) => module.includes(`src/ui/${one}`)))
  const users = new Map<string, string[]>()
  for (const begin of begins)
    for (const module of reachedFrom(begin))
      if (kept.has(module) && module !== begin) users.set(module, [...(users.get(module) ?? []), begin])
  const core: string[] = []
  const kit: string[] = []
  const shared = new Map(Object.keys(groups).map((name): [string, string[]] => [name, []]))
  for (const [module, by] of users)
    if (by.some((one) => main.includes(one)) || (by.length > 1 && by.some(isLight))) core.push(module)
    else if (by.length > 1) (sharedBy(by) ?? kit).push(module)

  const layers: Record<string, string> = {
    "layer:core": importsOf(core),
    "layer:kit": `import "layer:core"\n${importsOf(kit)}`,
  }
  for (const [name, modules] of shared) layers[`layer:${name}`] = `import "layer:kit"\n${importsOf(modules)}`
  const layerOf = new Map(begins.map((module) => [resolve(module), layerFor(module)]))
  return {
    name: "layers",
    setup(build) {
      build.onResolve({ filter: /^layer:/ }, ({ path }) => ({ path, namespace: "layer" }))
      build.onLoad({ filter: /.*/, namespace: "layer" }, ({ path }) => ({ loader: "js", contents: layers[path] ?? "" }))
      build.onLoad({ filter: /[\\/]src[\\/]ui[\\/].*\.tsx?$/ }, async ({ path, loader }) => {
        const layer = layerOf.get(path)
        const text = await Bun.file(path).text()
        return { loader, contents: layer === undefined ? text : `${text}\nimport "${layer}"\n` }
      })
    },
  }

  function layerFor(module: string): string {
    if (isLight(module)) return "layer:core"
    return `layer:${groupOf(module) ?? "kit"}`
  }

  /** The modules that only screens of one group share; undefined for screens of several. */
  function sharedBy(entryPoints: readonly string[]): string[] | undefined {
    const [group, ...others] = new Set(entryPoints.map(groupOf))
    return group !== undefined && others.length === 0 ? shared.get(group) : undefined
  }

  function reachedFrom(module: string, seen = new Set<string>()): Set<string> {
    if (seen.has(module)) return seen
    seen.add(module)
    for (const { path, kind } of inputs[module]?.imports ?? []) if (kind === "import-statement") reachedFrom(path, seen)
    return seen
  }
}

const importsOf = (modules: readonly string[]) =>
  modules.map((module) => `import ${JSON.stringify(resolve(module))}\n`).join("")
