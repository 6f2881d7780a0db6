import { expect, test } from "bun:test"
import { join } from "node:path"
import { mistakes, planted } from "./mistakes.ts"

test("every listed mistake can still be made in the sources and changes them", async () => {
  for (const mistake of mistakes) {
    const source = await Bun.file(join(import.meta.dir, "../..", mistake.file)).text()
    expect(planted(source, mistake)).not.toBe(source)
  }
})
