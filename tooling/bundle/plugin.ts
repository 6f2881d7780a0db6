import type { BunPlugin } from "bun"
import type { BundledUi } from "./ui.ts"

const asset = "ui-asset:"

/** Embeds the browser app in the build, in place of `src/http/ui-bundle.ts`. */
export function embedUi(ui: BundledUi): BunPlugin {
  const contents = new Map(
    ui.files.flatMap(({ path, br, gzip }): [string, Uint8Array<ArrayBuffer>][] => [
      [`${nameOf(path)}.br`, br],
      [`${nameOf(path)}.gz`, gzip],
    ]),
  )

  return {
    name: "embed-ui",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]http[\\/]ui-bundle\.ts$/ }, () => ({
        loader: "js",
        contents: moduleOf(ui),
      }))
      build.onResolve({ filter: /^ui-asset:/ }, ({ path }) => ({
        path: path.slice(asset.length),
        namespace: "ui-asset",
      }))
      build.onLoad({ filter: /.*/, namespace: "ui-asset" }, ({ path }) => {
        const bytes = contents.get(path)
        if (bytes === undefined) throw new Error(`${path} is no file of the browser app`)
        return { loader: "file", contents: bytes }
      })
    },
  }
}

function moduleOf({ addresses, files, entry, preloads, texts, icon, icons, noScript }: BundledUi): string {
  const imports = files.flatMap(({ path }, index) => [
    `import br${index} from "${asset}${nameOf(path)}.br" with { type: "file" }`,
    `import gzip${index} from "${asset}${nameOf(path)}.gz" with { type: "file" }`,
  ])
  const list = files.map(
    ({ path, type }, index) =>
      `{ path: ${JSON.stringify(path)}, type: ${JSON.stringify(type)}, br: Bun.file(br${index}), gzip: Bun.file(gzip${index}) }`,
  )
  return `${imports.join("\n")}
let bundle
const open = () => ({ files: [${list.join(", ")}], ...${JSON.stringify({ entry, preloads, texts, icon, icons, noScript })} })
export const ui = { addresses: ${JSON.stringify(addresses)}, bundle: async () => (bundle ??= open()) }
`
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1)
