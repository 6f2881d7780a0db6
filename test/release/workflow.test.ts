import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { scripts } from "../../package.json"
import { notesOf } from "../../tooling/release/notes.ts"

const root = join(import.meta.dir, "../..")

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[]; readonly needs?: string }>>
}

const read = (name: string) =>
  Bun.YAML.parse(readFileSync(join(root, ".github/workflows", name), "utf8")) as unknown as Workflow
const { permissions, jobs } = read("release.yml")
const steps = jobs.release?.steps ?? []
const runs = steps.flatMap(({ run }) => (run === undefined ? [] : [run]))

test("a release is made only of what the tests passed, with no right that it does not need", () => {
  expect(permissions).toEqual({ contents: "read" })
  expect(jobs.release?.needs).toBe("check")
  expect(jobs.check?.steps).toEqual(read("ci.yml").jobs.check?.steps ?? [])
})

test("every command of a release is a script that exists", () => {
  expect(runs).toContain("bun run release --check")
  for (const run of runs) {
    const [, script, file] = /^bun (?:run (\S+)|(\S+\.ts))/.exec(run) ?? []
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script)
    if (file !== undefined) expect(existsSync(join(root, file))).toBe(true)
  }
})

test("files and image are attested, for both processors, and published with their notes", () => {
  const uses = (action: string) => steps.filter((step) => step.uses?.startsWith(`${action}@`))
  expect(uses("actions/attest-build-provenance").map((step) => step.with?.["subject-path"])).toEqual([
    "dist/release/*",
    undefined,
  ])
  expect(uses("docker/build-push-action")[0]?.with).toMatchObject({ platforms: "linux/amd64,linux/arm64", sbom: true })
  expect(runs.at(-1)).toContain("--notes-file notes.md --verify-tag dist/release/*")
})

const changelog =
  "# Changelog\n\n## Unreleased\n\n- later\n\n## 0.2.0 (2027-02-01)\n\n- this\n\n## 0.1.0 (2026-11-24)\n\nold\n"

test("the notes of a release are its chapter of the CHANGELOG", () => {
  expect(notesOf("v0.2.0", "0.2.0", changelog)).toBe("- this")
})

test("a tag that is not the version, or a version without a chapter, makes no release", () => {
  expect(() => notesOf("v0.2.1", "0.2.0", changelog)).toThrow("the tag v0.2.1 is not v0.2.0")
  expect(() => notesOf("v0.3.0", "0.3.0", changelog)).toThrow('no chapter "0.3.0 (YYYY-MM-DD)"')
  expect(() => notesOf("v0.2.0", "0.2.0", "## 0.2.0 (soon)\n\n- this\n")).toThrow("no chapter")
  expect(() => notesOf("v0.2.0", "0.2.0", "## 0.2.0 (2027-02-01)\n\n")).toThrow("says nothing")
})
