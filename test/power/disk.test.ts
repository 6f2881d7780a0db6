import { describe, expect, test } from "bun:test"
import { createDisk } from "./disk.ts"
import type { Act } from "./log.ts"
import { createRandom } from "./random.ts"

const sync = (kind: "sync begins" | "sync ends", name: string, hasFailed = false): Act => ({
  ...{ kind, name, thread: 1, process: 1, isOnMain: false, hasFailed },
})
const write = (name: string, text: string, at = 0): Act => ({ kind: "write", name, at, data: Buffer.from(text) })
const synced = (name: string): Act[] => [sync("sync begins", name), sync("sync ends", name)]

/** What cuts after these acts leave, each as the names and texts of the files. */
function leftBy(...acts: readonly Act[]): Set<string> {
  const disk = createDisk()
  for (const act of acts) disk.apply(act)
  const random = createRandom(1)
  return new Set(
    Array.from({ length: 200 }, () =>
      [...disk.image(random).files]
        .map(([name, content]) => `${name}: ${Buffer.from(content)}`)
        .sort()
        .join(),
    ),
  )
}

describe("a power cut", () => {
  test("leaves what was synced, and its name when the folder was synced too", () => {
    expect(leftBy(write("a", "old"), ...synced("a"), ...synced(""))).toEqual(new Set(["a: old"]))
    expect(leftBy(write("a", "old"), ...synced("a"))).toEqual(new Set(["", "a: old"]))
  })

  test("takes or leaves what was not synced, in any part", () => {
    const named = [write("a", "."), ...synced("a"), ...synced("")]

    expect(leftBy(...named, write("a", "x", 512), write("a", "y", 1024))).toEqual(
      new Set(
        ["", `${"\0".repeat(511)}x`, `${"\0".repeat(1023)}y`, `${"\0".repeat(511)}x${"\0".repeat(511)}y`].map(
          (end) => `a: .${end}`,
        ),
      ),
    )
    expect(leftBy(...named, { kind: "truncate", name: "a", size: 0 })).toEqual(new Set(["a: .", "a: "]))
  })

  test("takes or leaves what was written while a sync ran, and everything of a sync that has failed", () => {
    const named = [write("a", "old"), ...synced("a"), ...synced("")]
    const either = new Set(["a: old", "a: new"])

    expect(leftBy(...named, sync("sync begins", "a"), write("a", "new"), sync("sync ends", "a"))).toEqual(either)
    expect(leftBy(...named, write("a", "new"), sync("sync begins", "a"))).toEqual(either)
    expect(leftBy(...named, write("a", "new"), sync("sync begins", "a"), sync("sync ends", "a", true))).toEqual(either)
  })

  test("takes or leaves what a failed sync has dropped, whatever is synced later, unless it is written again", () => {
    const dropped = [write("a", "new"), sync("sync begins", "a"), sync("sync ends", "a", true)]
    const named = [write("a", "old"), ...synced("a"), ...synced(""), ...dropped]

    expect(leftBy(...named, ...synced("a"))).toEqual(new Set(["a: old", "a: new"]))
    expect(leftBy(...named, write("a", "!", 3), ...synced("a"))).toEqual(new Set(["a: old!", "a: new!"]))
    expect(leftBy(...named, write("a", "new"), ...synced("a"))).toEqual(new Set(["a: new"]))
  })

  test("leaves either name of a renamed file, and the new one alone when the folder was synced", () => {
    const both = [write("a", "1"), write("b", "2"), ...synced("a"), ...synced("b"), ...synced("")]
    const renamed: Act = { kind: "rename", name: "b", to: "a" }

    expect(leftBy(...both, renamed)).toEqual(new Set(["a: 1,b: 2", "a: 2"]))
    expect(leftBy(...both, renamed, ...synced(""))).toEqual(new Set(["a: 2"]))
    expect(leftBy(...both, { kind: "unlink", name: "b" })).toEqual(new Set(["a: 1,b: 2", "a: 1"]))
  })
})
