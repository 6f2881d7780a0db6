import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { version } from "../../package.json" with { type: "json" }
import { lay, type Packed, writeTar } from "../release/archive.ts"
import { writeClientSchema } from "./schema.ts"

const folder = join(import.meta.dir, "../../client")
const entrypoints = ["client", "webhook"].map((name) => join(folder, `src/${name}.ts`))

/** The scripts of the client: as they ship, or as an app would bundle them, with what they import. */
export async function bundledClient({ isWhole }: { isWhole: boolean }): Promise<readonly Packed[]> {
  const built = await Bun.build({
    entrypoints,
    target: "browser",
    format: "esm",
    minify: isWhole,
    ...(!isWhole && { packages: "external" }),
  })
  return Promise.all(
    built.outputs.map(async (output) => ({
      path: output.path.replace(/^\.\//, ""),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  )
}

interface Place {
  /** The folder to write to. */
  readonly out: string
  /** An empty folder to work in. */
  readonly work: string
  readonly date: Date
  readonly level: 0 | 6
}

/** Writes the package as npm takes it, and returns the name of the file. */
export async function packClient({ out, work, date, level }: Place): Promise<string> {
  const description: object = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  const scripts = (await bundledClient({ isWhole: false })).map(inDist)
  const files = [
    { path: "package.json", bytes: Buffer.from(`${JSON.stringify({ ...description, version }, null, 2)}\n`) },
    { path: "README.md", bytes: await readFile(join(folder, "README.md")) },
    { path: "LICENSE", bytes: await readFile(join(folder, "../LICENSE")) },
    ...scripts,
    ...(await declarations(join(work, "types"))).map(inDist),
  ]
  const name = `rewards-client-${version}.tgz`
  await writeTar(join(out, name), work, { folder: "package", files, date, level })
  return name
}

const inDist = ({ path, bytes }: Packed): Packed => ({ path: `dist/${path}`, bytes })

/** The types, with imports of the files as they ship. */
async function declarations(work: string): Promise<Packed[]> {
  await writeClientSchema()
  await lay(work, [], new Date())
  const compiler = join(folder, "../node_modules/.bin/tsc")
  const flags = [
    "--ignoreConfig",
    "--declaration",
    "--emitDeclarationOnly",
    "--rewriteRelativeImportExtensions",
    "--outDir",
    work,
  ]
  const checks = [
    "--strict",
    "--skipLibCheck",
    "--exactOptionalPropertyTypes",
    "--module",
    "preserve",
    "--target",
    "esnext",
  ]
  const libraries = ["--lib", "esnext,dom,dom.iterable", "--types", "", "--allowImportingTsExtensions"]
  const child = Bun.spawn([compiler, ...entrypoints, ...flags, ...checks, ...libraries], {
    stdout: "pipe",
    stderr: "inherit",
  })
  const told = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`the types of the client could not be written: ${told}`)
  const names = [...new Bun.Glob("*.d.ts").scanSync(work)].sort()
  return Promise.all(
    names.map(async (name) => ({
      path: name,
      bytes: Buffer.from((await readFile(join(work, name), "utf8")).replaceAll(/(from ".\/\w+)\.ts"/g, '$1.js"')),
    })),
  )
}
