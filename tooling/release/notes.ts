import { readFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../package.json" with { type: "json" }

/*
 * bun tooling/release/notes.ts v0.2.0
 *
 * Prints what the CHANGELOG says of the version, for the page of the release. Fails unless the tag is the version of
 * package.json and the CHANGELOG has it with a day.
 */

if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2)
  console.log(notesOf(tag, version, readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")))
}

/** @throws Error with the cure when the tag, the version and the CHANGELOG do not fit */
export function notesOf(tag: string, ofPackage: string, changelog: string): string {
  if (tag !== `v${ofPackage}`) throw new Error(`the tag ${tag} is not v${ofPackage}, the version of package.json`)
  const chapter = changelog.split(/^## /m).find((text) => text.startsWith(`${ofPackage} (`))
  if (chapter === undefined || !/^\S+ \(\d{4}-\d\d-\d\d\)\n/.test(chapter))
    throw new Error(`CHANGELOG.md has no chapter "${ofPackage} (YYYY-MM-DD)"; give "Unreleased" this name`)
  const notes = chapter.slice(chapter.indexOf("\n")).trim()
  if (notes === "") throw new Error(`CHANGELOG.md says nothing of ${ofPackage}`)
  return notes
}
