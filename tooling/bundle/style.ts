import { join } from "node:path"
import { compile, optimize } from "@tailwindcss/node"
import { Scanner } from "@tailwindcss/oxide"

/** The one style sheet: Tailwind's classes that components under `source` name, and what `style.css` adds. */
export async function bundleStyle(source: string): Promise<string> {
  const sheet = await Bun.file(join(source, "style.css")).text()
  const compiler = await compile(sheet, { base: source, onDependency() {} })
  const scanner = new Scanner({ sources: [{ base: source, pattern: "**/*.tsx", negated: false }] })
  return optimize(compiler.build(scanner.scan().toSorted()), { minify: true }).code
}
