import { rm } from "node:fs/promises"
import { embedUi } from "./tooling/bundle/plugin.ts"
import { sizesOf } from "./tooling/bundle/sizes.ts"
import { type BundledUi, bundleUi } from "./tooling/bundle/ui.ts"

/** How everything here is bundled. */
export const bundling = {
  format: "esm",
  minify: true,
  sourcemap: "linked",
  // What is imported where it is used (a mail's library, a command's console) is loaded there, not at the start.
  splitting: true,
  define: { "process.env.NODE_ENV": '"production"' },
} as const

/** What the executable of the product is compiled from. */
export const entrypoint = "src/main.ts"

if (import.meta.main) {
  const ui = await bundleUi()
  await compile(entrypoint, "dist/rewards", { ui })
  console.log(sizesOf(ui))
}

/** A platform by Bun's name, as in `bun-linux-arm64-musl`; null: this one. */
export type Platform = Bun.Build.CompileTarget | null

interface Compiling {
  /** Null: this platform. */
  readonly target?: Platform
  /** The browser app to embed; absent: none. */
  readonly ui?: BundledUi
}

/** Bundles what `entrypoint` imports and compiles it into one executable. */
export async function compile(entrypoint: string, executable: string, { target = null, ui }: Compiling = {}) {
  const { outputs } = await Bun.build({
    ...bundling,
    // The bundler stops for good when a plugin of one build starts another: the browser app is ready before.
    plugins: ui ? [embedUi(ui)] : [],
    entrypoints: [entrypoint],
    // With top-level await it is possible in this format alone.
    bytecode: true,
    // An operator's folder may hold files of these names that are meant for something else.
    compile: { outfile: executable, autoloadDotenv: false, autoloadBunfig: false, ...(target && { target }) },
  })

  // The executable carries its source maps; the copies beside it are of no use.
  const maps = outputs.map(({ path }) => path).filter((path) => path.endsWith(".map"))
  await Promise.all(maps.map((path) => rm(path, { force: true })))
}
