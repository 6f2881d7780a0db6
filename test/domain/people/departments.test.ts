import { expect, test } from "bun:test"
import { deptSpelling } from "../../../src/domain/people/departments.ts"

test("a department is stored as somebody has spelled it before; management must be spelled exactly", () => {
  const spelled = deptSpelling(["Sales", "sales", "R  &  D", "management"])

  for (const [given, stored] of [
    ["Sales", "Sales"],
    ["sales", "sales"],
    [" SALES ", "Sales"],
    ["r & d", "R  &  D"],
    [" New  team ", "New  team"],
    ["NEW TEAM", "New  team"],
    ["management", "management"],
    ["Management", "Management"],
  ])
    expect([given, spelled(given ?? "")]).toEqual([given, stored])
})
