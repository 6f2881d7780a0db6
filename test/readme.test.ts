import { expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { settingsTable } from "../src/config/template.ts"

const root = join(import.meta.dir, "..")
const readme = await Bun.file(join(root, "README.md")).text()

test("docs/settings.md shows every setting as the table of settings has it", async () => {
  expect(await Bun.file(join(root, "docs/settings.md")).text()).toContain(settingsTable())
})

test("every picture of the screens is shown in docs/screens, and every one that is shown exists", async () => {
  const folder = join(root, "docs/screens")
  const shown = picturesIn(await Bun.file(join(folder, "README.md")).text())
  expect(shown.toSorted()).toEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith(".png"))
      .toSorted(),
  )
  const first = picturesIn(readme)
  expect(first).toHaveLength(4)
  expect(first.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

const picturesIn = (text: string) => [...text.matchAll(/ (?:src|srcset)="([^"]+)"/g)].map(([, path = ""]) => path)
