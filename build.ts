import { rm } from "node:fs/promises"
import { compressed } from "./tooling/bundle/compressed.ts"
import { embedUi } from "./tooling/bundle/plugin.ts"
import { sizesOf } from "./tooling/bundle/sizes.ts"
import { type BundledUi, bundleUi } from "./tooling/bundle/ui.ts"

/** Options of every bundle. */
export const bundling = {
  format: "esm",
  minify: true,
  sourcemap: "linked",
  // Keeps dynamic imports (the mail library, the shell) out of the start.
  splitting: true,
  define: { "process.env.NODE_ENV": '"production"' },
} as const

/** The entry point of the executable. */
export const entrypoint = "src/main.ts"
/** Those of its threads. In the executable they are found by their path below src/. */
export const threads = ["src/storage/sqlite/database/thread.ts", "src/formats/pictures/thread.ts"]

if (import.meta.main) {
  const ui = await bundleUi()
  await compile(entrypoint, "dist/rewards", { ui, target: targetOf(process.argv) })
  if (process.argv.includes("--sizes")) console.log(sizesOf(ui))
}

/** The platform of `--arch=amd64` or `--arch=arm64`, Docker's names of processors; without it, that of this machine. */
function targetOf(args: readonly string[]): Platform {
  const arch = args.find((arg) => arg.startsWith("--arch="))?.slice("--arch=".length) ?? ""
  if (arch === "" || process.arch === (arch === "amd64" ? "x64" : arch)) return null
  if (arch === "amd64") return "bun-linux-x64-baseline"
  if (arch === "arm64") return "bun-linux-arm64"
  throw new Error(`no processor ${arch}; there are amd64 and arm64`)
}

/** Bun's name of a platform, such as `bun-linux-arm64-musl`; null for this one. */
export type Platform = Bun.Build.CompileTarget | null

interface Compiling {
  /** Null for this platform. */
  readonly target?: Platform
  /** The browser app to embed, if any. */
  readonly ui?: BundledUi
}

/** Bundles `entrypoint` with its imports and compiles it into one executable. */
export async function compile(entrypoint: string, executable: string, { target = null, ui }: Compiling = {}) {
  const { outputs } = await Bun.build({
    ...bundling,
    // The bundler hangs when a plugin starts another build, so the browser app is built before.
    plugins: ui ? [compressed, embedUi(ui)] : [compressed],
    entrypoints: [entrypoint, ...threads],
    // The only format that supports top-level await.
    bytecode: true,
    // The folder of an operator may contain such files of other programs.
    compile: { outfile: executable, autoloadDotenv: false, autoloadBunfig: false, ...(target && { target }) },
  })

  // The executable contains its source maps; the copies beside it are not needed.
  const maps = outputs.map(({ path }) => path).filter((path) => path.endsWith(".map"))
  await Promise.all(maps.map((path) => rm(path, { force: true })))
}
