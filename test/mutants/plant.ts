import { join } from "node:path"
import { plugin } from "bun"
import { mistakes, planted, schema } from "./mistakes.ts"

/**
 * mutants.ts loads this before the tests. It puts the mistake that the environment names into a source as it is loaded;
 * the files stay unchanged.
 */
const mistake = mistakes.find(({ name }) => name === process.env.PLANTED_MISTAKE)
if (mistake === undefined) throw new Error("PLANTED_MISTAKE names no mistake")
const root = join(import.meta.dir, "../..")
const migrations = "src/storage/postgres/database/migrations.ts"
const path = join(root, mistake.file === schema ? migrations : mistake.file)

plugin({
  name: mistake.name,
  setup(build) {
    build.onLoad({ filter: new RegExp(`^${RegExp.escape(path)}$`) }, async () => {
      const text = planted(await Bun.file(join(root, mistake.file)).text(), mistake)
      if (mistake.file !== schema) return { contents: text, loader: "ts" }
      // Plugins do not see files that are imported as text, so the module that imports the schema gets its text instead.
      const [source, imported] = [await Bun.file(path).text(), /^import init from .*$/m]
      if (!imported.test(source)) throw new Error(`${migrations} no longer imports the schema as "init"`)
      return { contents: source.replace(imported, () => `const init = ${JSON.stringify(text)}`), loader: "ts" }
    })
  },
})
