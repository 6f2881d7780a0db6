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
/** Plugins do not see files that are imported as text, so the module that imports the schema is replaced instead. */
const path = join(root, mistake.file === schema ? "src/storage/postgres/database/migrations.ts" : mistake.file)

plugin({
  name: mistake.name,
  setup(build) {
    build.onLoad({ filter: new RegExp(`^${RegExp.escape(path)}$`) }, async () => {
      const text = planted(await Bun.file(join(root, mistake.file)).text(), mistake)
      const migrations = [{ tag: "0000_init", sql: text }]
      const contents = mistake.file === schema ? `export const migrations = ${JSON.stringify(migrations)}` : text
      return { contents, loader: "ts" }
    })
  },
})
