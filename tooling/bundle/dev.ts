import { statSync } from "node:fs"
import { join } from "node:path"
import type { Ui } from "../../src/http/ui-bundle.ts"

const source = join(import.meta.dir, "../../src")

/** Preloaded by `bun run dev`: bundles the browser app again whenever its sources have changed. */
Bun.plugin({
  name: "dev-ui",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]http[\\/]ui-bundle\.ts$/ }, () => ({
      loader: "js",
      contents: `export { devUi as ui } from ${JSON.stringify(import.meta.path)}`,
    }))
  },
})

const { addresses } = await import("../../src/ui/addresses.ts")

export const devUi: Ui = { addresses: Object.values(addresses), bundle: createRebundling() }

function createRebundling(): Ui["bundle"] {
  let bundledMs = 0
  let bundled: ReturnType<Ui["bundle"]> | undefined

  return () => {
    const changedMs = Math.max(
      ...[...new Bun.Glob("{languages,ui}/**/*").scanSync(source)].map((path) => changeOf(path)),
    )
    if (bundled === undefined || changedMs > bundledMs) bundled = bundleNow()
    bundledMs = changedMs
    return bundled
  }
}

const changeOf = (path: string) => statSync(join(source, path)).mtimeMs

async function bundleNow() {
  const { bundleUi } = await import("./ui.ts")
  const { files, ...rest } = await bundleUi()
  const blobs = files.map((file) => ({ ...file, br: new Blob([file.br]), gzip: new Blob([file.gzip]) }))
  return { ...rest, files: blobs }
}
