import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { released, version } from "../../package.json"
import { sha256 } from "../../src/domain/text.ts"
import { migrations as postgresql } from "../../src/storage/postgres/database/migrations.ts"
import { migrations as sqlite } from "../../src/storage/sqlite/database/migrations.ts"
import { hashesIn, recordings, releases } from "./recorded.ts"

test("the databases of every release in the CHANGELOG are recorded", () => {
  const changelog = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")
  const released = [...changelog.matchAll(/^## v?(\d+\.\d+\.\d+\S*)/gm)].map(([, version = ""]) => version)
  expect(releases).toEqual(released.sort())
})

test("package.json has the day of its version in the CHANGELOG", () => {
  const changelog = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")
  expect(changelog).toContain(`\n## ${version} (${released})\n`)
})

describe.each(releases)("the migrations of %s", (release) => {
  test.each([
    ["sqlite", sqlite],
    ["postgresql", postgresql],
  ] as const)("come first on %s, and nobody has edited them", (store, migrations) => {
    const released = Object.entries(hashesIn(join(recordings, release))[store])
    const hashes = migrations.map(({ tag, sql }) => [tag, sha256(sql)])
    expect(hashes.slice(0, released.length)).toEqual(released)
  })
})
