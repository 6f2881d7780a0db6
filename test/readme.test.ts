import { expect, test } from "bun:test"
import { join } from "node:path"
import { settingsTable } from "../src/config/template.ts"

const readme = await Bun.file(join(import.meta.dir, "../README.md")).text()

test("the README shows every setting as the table of settings has it", () => {
  expect(readme).toContain(settingsTable())
})
