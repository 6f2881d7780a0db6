import { expect, test } from "bun:test"
import { firstVisits } from "../../bundle/sizes.ts"
import { bundleUi } from "../../bundle/ui.ts"

test("a first visit takes at most 60 kB of script and 90 kB in all, whatever the screen", async () => {
  const visits = firstVisits(await bundleUi())
  expect(visits.length).toBeGreaterThan(3)
  expect(visits.filter(({ script, everything }) => script > 60_000 || everything > 90_000)).toEqual([])
})

test("the same sources make the same files", async () => {
  const [one, other] = [await bundleUi(), await bundleUi()]
  expect(one).toEqual(other)
})
