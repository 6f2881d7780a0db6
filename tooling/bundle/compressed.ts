import type { BunPlugin } from "bun"

/** Compresses large files that few servers need; `embedded` in src/support/ reads them. */
export const compressed: BunPlugin = {
  name: "compressed",
  setup(build) {
    build.onLoad({ filter: /\.(ttf|wasm)$|[\\/]browser[\\/]standalone\.js$/ }, async ({ path }) => ({
      loader: "file",
      contents: await Bun.zstdCompress(await Bun.file(path).bytes(), { level: 19 }),
    }))
  },
}
