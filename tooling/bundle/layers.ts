import { resolve } from "node:path"
import type { BunPlugin } from "bun"
import { screenModules } from "../../src/ui/modules.ts"

/** What Bun tells of a build, as far as it is used here: modules and files by their paths. */
export interface Graph {
  readonly inputs: Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
  readonly outputs: Record<
    string,
    { readonly entryPoint?: string; readonly inputs: Record<string, { readonly bytesInOutput: number }> }
  >
}

/** Words, and screens for strangers, who do not wait for what the others share. */
const light: readonly string[] = [screenModules.login, screenModules.forgot, screenModules.reset, "texts/"]

/**
 * Bun makes a file of each set of modules that the same screens share, forty of them for a first visit. With this plugin
 * they become two: `core`, which every page needs, and `kit`, which those who are logged in need sooner or later.
 * Whatever is loaded by itself imports them, so that all that is in them is shared by all.
 */
export function layersOf({ inputs, outputs }: Graph): BunPlugin {
  const kept = new Set(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([module, { bytesInOutput }]) => (bytesInOutput > 0 ? [module] : [])),
    ),
  )
  const begins = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  const main = begins.filter((module) => module.endsWith("src/ui/main.tsx"))
  const isLight = (module: string) => main.includes(module) || light.some((one) => module.includes(`src/ui/${one}`))
  const users = new Map<string, string[]>()
  for (const begin of begins)
    for (const module of reachedFrom(begin))
      if (kept.has(module) && module !== begin) users.set(module, [...(users.get(module) ?? []), begin])
  const core: string[] = []
  const kit: string[] = []
  for (const [module, by] of users)
    if (by.some((one) => main.includes(one)) || (by.length > 1 && by.some(isLight))) core.push(module)
    else if (by.length > 1) kit.push(module)

  const layers: Record<string, string> = {
    "layer:core": importsOf(core),
    "layer:kit": `import "layer:core"\n${importsOf(kit)}`,
  }
  const layerOf = new Map(begins.map((module) => [resolve(module), isLight(module) ? "layer:core" : "layer:kit"]))
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

  function reachedFrom(module: string, seen = new Set<string>()): Set<string> {
    if (seen.has(module)) return seen
    seen.add(module)
    for (const { path, kind } of inputs[module]?.imports ?? []) if (kind === "import-statement") reachedFrom(path, seen)
    return seen
  }
}

const importsOf = (modules: readonly string[]) =>
  modules.map((module) => `import ${JSON.stringify(resolve(module))}\n`).join("")
