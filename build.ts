import { rm } from "node:fs/promises"

/** How everything here is bundled. */
export const bundling = {
  format: "esm",
  minify: true,
  sourcemap: "linked",
  define: { "process.env.NODE_ENV": '"production"' },
} as const

if (import.meta.main) await compile("src/main.ts", "dist/rewards")

/** Bundles what `entrypoint` imports and compiles it into one executable. */
export async function compile(entrypoint: string, executable: string): Promise<void> {
  await Bun.build({
    ...bundling,
    entrypoints: [entrypoint],
    // With top-level await it is possible in this format alone.
    bytecode: true,
    // An operator's folder may hold files of these names that are meant for something else.
    compile: { outfile: executable, autoloadDotenv: false, autoloadBunfig: false },
  })

  // The executable carries its source map; the copy beside it is of no use.
  await rm(`${executable}.map`, { force: true })
}
