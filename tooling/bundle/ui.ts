import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { compile, optimize } from "@tailwindcss/node"
import { Scanner } from "@tailwindcss/oxide"
import type { InstalledIcon } from "../../src/http/ui-bundle.ts"
import { addresses, screenModules, screenTexts } from "../../src/ui/addresses.ts"
import { catalogues } from "../../src/ui/texts/texts.ts"
import { iconSizes } from "./icons.ts"
import { type Graph, layersOf } from "./layers.ts"

/** A file for browsers, compressed at build time. */
export interface BundledFile {
  /** Its URL path, such as `/assets/main-h4sh.js`; changes with the content. */
  readonly path: string
  readonly type: string
  readonly br: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

export interface BundledUi {
  /** The app's own addresses, in the router's form. */
  readonly addresses: readonly string[]
  readonly files: readonly BundledFile[]
  /** The files that every page loads at once, by path. */
  readonly entry: { readonly script: string; readonly preloads: readonly string[]; readonly style: string }
  readonly icon: string
  /** The icons of the installed app. */
  readonly icons: readonly InstalledIcon[]
  /** The text of the page without JavaScript, by language. */
  readonly noScript: Readonly<Record<string, string>>
  /** The files that a screen loads, by the path of its module in `src/ui/`. */
  readonly screens: Readonly<Record<string, readonly string[]>>
  /** The further files that the page at an address loads, by the address in the router's form. */
  readonly preloads: Readonly<Record<string, readonly string[]>>
  /** The files with the texts of each language, by the address in the router's form. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

const source = join(import.meta.dir, "../../src/ui")
const place = "/assets/"
/** At the root, because a service worker sees only what is below its own address. */
const workerPath = "/sw.js"

/** The entry points of the browser app. */
export const uiEntrypoint = join(source, "main.tsx")

const options = {
  entrypoints: [uiEntrypoint],
  root: source,
  target: "browser",
  splitting: true,
  minify: true,
  metafile: true,
  naming: { entry: "[name]-[hash].js", chunk: "[name]-[hash].js" },
  define: { "process.env.NODE_ENV": '"production"' },
} as const satisfies Bun.BuildConfig

/** Bundles `src/ui/` for browsers. The same sources give the same bytes. */
export async function bundleUi(): Promise<BundledUi> {
  const scripts = await bundleScripts()
  const style = hashed("style", "css", "text/css; charset=utf-8", await bundleStyle(source))
  const icon = hashed("icon", "svg", "image/svg+xml", await Bun.file(join(source, "icon.svg")).text())
  const icons = await bundleIcons()
  const { script, preloads, screens, textFile } = scripts
  const common = new Set([script, ...preloads])
  const texts = Object.fromEntries(
    Object.keys(catalogues).map((language) => [
      language,
      Object.fromEntries(
        Object.entries(screenTexts).map(([name, chunks]) => [
          addresses[name as keyof typeof screenTexts],
          ["main", ...chunks].map((chunk) => textFile(`${language}/chunks/${chunk}`)),
        ]),
      ),
    ]),
  )
  const worker = await bundleWorker({
    files: [...new Set([...common, ...scripts.offline, style.path, icon.path])],
    texts: Object.fromEntries(Object.entries(texts).map(([language, byAddress]) => [language, byAddress["/"] ?? []])),
    icon: icons.find(({ size, purpose }) => size === 192 && purpose === "any")?.file.path ?? icon.path,
  })
  return {
    addresses: Object.values(addresses),
    files: [...scripts.files, style, icon, ...icons.map(({ file }) => file), worker].toSorted((one, other) =>
      one.path < other.path ? -1 : 1,
    ),
    entry: { script, preloads, style: style.path },
    icon: icon.path,
    icons: icons.map(({ file, ...about }) => ({ path: file.path, ...about })),
    noScript: await noScriptByLanguage(),
    screens,
    preloads: Object.fromEntries(
      Object.entries(screenModules).map(([name, module]) => {
        const loaded = screens[module]
        if (loaded === undefined) throw new Error(`src/ui/addresses.ts names ${module}, which is no screen`)
        return [addresses[name as keyof typeof screenModules], loaded.filter((path) => !common.has(path))]
      }),
    ),
    texts,
  }
}

interface WorkerFiles {
  readonly files: readonly string[]
  readonly texts: Readonly<Record<string, readonly string[]>>
  readonly icon: string
}

/** The service worker: one script, which names the files that the app needs without a connection. */
async function bundleWorker(named: WorkerFiles): Promise<BundledFile> {
  const patterns = Object.values(addresses).map((address) => address.replace(/:\w+/g, "[^/]+"))
  const bundle = {
    version: Bun.hash(JSON.stringify(named)).toString(36),
    pages: `^(?:${patterns.join("|")})/?$`,
    ...named,
  }
  const { outputs } = await Bun.build({
    entrypoints: [join(source, "device/sw.ts")],
    target: "browser",
    format: "iife",
    minify: true,
    define: { BUNDLE: JSON.stringify(bundle) },
  })
  const script = new Uint8Array((await outputs[0]?.arrayBuffer()) ?? [])
  return compressed(workerPath, "text/javascript; charset=utf-8", script)
}

async function bundleScripts() {
  const { metafile: plain } = await Bun.build(options)
  const { outputs, metafile } = await Bun.build({ ...options, plugins: [layersOf(plain as Graph)] })
  const files = await Promise.all(
    outputs.map(async (output) => {
      const path = `${place}${output.path.replace(/^\.\//, "")}`
      return compressed(path, "text/javascript; charset=utf-8", new Uint8Array(await output.arrayBuffer()))
    }),
  )
  const graph = new Map(
    Object.entries(metafile?.outputs ?? {}).map(([path, { entryPoint, imports }]) => [
      path.replace(/^\.\//, place),
      {
        module: entryPoint?.split(/src\/(?:ui\/)?/).at(-1) ?? "",
        imports: imports
          .filter(({ kind }) => kind === "import-statement")
          .map((one) => one.path.replace(/^\.\//, place)),
      },
    ]),
  )
  const closure = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const one of graph.get(path)?.imports ?? []) closure(one, seen)
    return seen
  }
  const modules = [...graph].filter(([, { module }]) => module !== "")
  const script = modules.find(([, { module }]) => module === "main.tsx")?.[0] ?? ""
  const screens = modules.filter(([, { module }]) => module.startsWith("screens/"))
  return {
    files,
    script,
    preloads: [...closure(script)].filter((path) => path !== script),
    /** The scripts of the page without a connection. */
    offline: [...closure(modules.find(([, { module }]) => module === "device/last-feed.tsx")?.[0] ?? "")],
    screens: Object.fromEntries(screens.map(([path, { module }]) => [module, [...closure(path)]])),
    textFile(name: string): string {
      const [path] = modules.find(([, { module }]) => module === `languages/${name}.ts`) ?? []
      if (path === undefined) throw new Error(`src/languages/${name}.ts is not loaded on demand`)
      return path
    },
  }
}

/** Drawn from `icon.svg` by `tooling/bundle/icons.ts`. */
async function bundleIcons() {
  const drawn = [...iconSizes].map(async ([name, { size, purpose }]) => {
    const bytes = await Bun.file(join(source, `icons/${name}.png`)).bytes()
    return { file: hashed(name, "png", "image/png", bytes), size, purpose }
  })
  return Promise.all(drawn)
}

async function noScriptByLanguage(): Promise<Record<string, string>> {
  const spoken = Object.entries(catalogues).map(async ([language, { main }]) => [
    language,
    (await main()).texts.noScript,
  ])
  return Object.fromEntries(await Promise.all(spoken))
}

function hashed(name: string, extension: string, type: string, content: string | Uint8Array<ArrayBuffer>) {
  const hash = Bun.hash(content).toString(36).slice(0, 8)
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  return compressed(`${place}${name}-${hash}.${extension}`, type, bytes)
}

function compressed(path: string, type: string, bytes: Uint8Array): BundledFile {
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  return { path, type, br: new Uint8Array(br), gzip: new Uint8Array(gzipSync(bytes, { level: 9 })) }
}

/** The single style sheet: the Tailwind classes that components under `source` use, and `style.css`. */
async function bundleStyle(source: string): Promise<string> {
  const sheet = await Bun.file(join(source, "style.css")).text()
  const compiler = await compile(sheet, { base: source, onDependency() {} })
  const scanner = new Scanner({ sources: [{ base: source, pattern: "**/*.tsx", negated: false }] })
  return optimize(compiler.build(scanner.scan().toSorted()), { minify: true }).code
}
