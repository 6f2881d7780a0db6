import { expect, test } from "bun:test"
import { join } from "node:path"
import { openInProcess } from "../../bench/company.ts"
import { countTotals, filters, nameOf, queryOf } from "../../bench/pages.ts"
import { temporaryFolder } from "../support/executable.ts"

test("totals are counted from the rows, for each viewer and filter", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "rewards.db")
  {
    await using inProcess = await openInProcess(path)
    const { store, ledger } = inProcess.app
    const rest = { password: "$".repeat(60), avatar: null, bio: null, dept: "management", currency: "USD" }
    const create = (name: string) => store.users.create({ ...rest, name, username: name, email: `${name}@example.com` })
    const [busy, quiet, ana] = [await create("busy"), await create("quiet"), await create("ana")]
    const pairs = [
      [busy, quiet],
      [busy, quiet],
      [quiet, busy],
      [busy, ana],
      [ana, busy],
      [ana, ana],
    ] as const
    for (const [sender, receiver] of pairs) await ledger.sendPoints({ sender, receiver, value: 5 })
  }

  const totalOf = countTotals(path)
  const named = (viewer: "admin" | "busy" | "quiet") =>
    Object.fromEntries(filters.map((filter) => [nameOf(filter), totalOf(viewer, filter)]))
  expect(named("admin")).toEqual({
    everything: 6,
    "to busy": 2,
    "to quiet": 2,
    "from busy": 3,
    "from quiet": 1,
    "from busy to quiet": 2,
    "from quiet to busy": 1,
  })
  expect(named("busy")).toEqual({ ...named("admin"), everything: 5 })
  expect(named("quiet")).toEqual({ ...named("admin"), everything: 3, "to busy": 1, "from busy": 2 })
})

test("a view becomes a query with user, sender, order and page", () => {
  expect(queryOf({})).toBe("?page=1")
  expect(queryOf({ user: "quiet", from_user: "busy" }, "-value", 3)).toBe(
    "?user=quiet&from_user=busy&order_by=-value&page=3",
  )
})
