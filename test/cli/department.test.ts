import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

async function company() {
  const operates = await operator()
  for (const [name, dept] of [
    ["Ana", "Marketing"],
    ["Bruno", "Marketing"],
    ["Carla", "sales"],
  ] as const)
    await operates.types(["create-user", name, `${name}@example.com`, "x", dept])
  return operates
}

test("department rename renames a department, and merges it into another one only if asked to", async () => {
  await using operates = await company()
  const rename = (...args: string[]) => operates.types(["department", "rename", ...args])
  await operates.types(["allowance", "add", "Budget", "5", "--mode", "add", "--period", "month", "--dept", "Marketing"])

  expect(await rename("marketing", "Growth", "--dry-run")).toEqual(
    done("2 users and 1 allowance would move from marketing to Growth"),
  )
  expect(await rename("marketing", "Growth")).toEqual(done("2 users and 1 allowance moved from marketing to Growth"))
  expect(await rename("Growth", "Sales")).toEqual(
    refused("A department of this name exists already; with merge, both become one"),
  )
  expect(await rename("Growth", "Sales", "--dry-run")).toEqual({
    ...done("2 users and 1 allowance would move from Growth to sales, which had 1 user"),
    stderr: "The department sales exists already: only with --merge do both become one\n",
  })
  expect(await rename("Growth", "Sales", "--dry-run", "--merge")).toEqual(
    done("2 users and 1 allowance would move from Growth to sales, which had 1 user"),
  )
  expect(await rename("Growth", "Sales", "--merge")).toEqual(
    done("2 users and 1 allowance moved from Growth to sales, which had 1 user"),
  )
  expect(await operates.types(["department", "list"])).toEqual(done("name        people\nmanagement  1\nsales       3"))
  expect(JSON.parse((await operates.types(["department", "list", "--json"])).stdout)).toEqual([
    { name: "management", people: 1 },
    { name: "sales", people: 3 },
  ])
  const { stdout } = await operates.types(["audit", "--action", "dept_renamed", "--json"])
  expect(stdout).toInclude("Growth -> sales (joined)")
})

test("list --all shows a department whose people have all left, and rename renames it", async () => {
  await using operates = await company()
  const rename = (...args: string[]) => operates.types(["department", "rename", ...args])
  await operates.types(["user", "deactivate", "carla"])

  expect(await operates.types(["department", "list"])).toEqual(done("name        people\nmanagement  1\nMarketing   2"))
  expect(await operates.types(["department", "list", "--all"])).toEqual(
    done("name        people\nmanagement  1\nMarketing   2\nsales       1"),
  )
  expect(await rename("Sales", "Field", "--dry-run")).toEqual(
    done("Only inactive users would move from Sales to Field"),
  )
  expect(await rename("Sales", "Field")).toEqual(done("Only inactive users moved from Sales to Field"))
  expect(await rename("Marketing", "field", "--merge")).toEqual(
    done("2 users moved from Marketing to Field, which had 0 users"),
  )
  expect(await operates.types(["department", "list", "--all"])).toEqual(
    done("name        people\nField       3\nmanagement  1"),
  )
})

test("a rename that the rules forbid is refused and changes nothing", async () => {
  await using operates = await company()
  const rename = (...args: string[]) => operates.types(["department", "rename", ...args])

  expect(await rename("nowhere", "x")).toEqual(refused("Department not found"))
  expect(await rename("sales", " ")).toEqual(refused("name: 1 to 100 visible characters on one line"))
  expect(await rename("management", "x")).toEqual(
    refused("name: management makes superusers, so it cannot be renamed or joined"),
  )
  expect(await rename("sales")).toEqual(misused("missing NEW", "See: rewards department rename --help"))
  expect((await operates.types(["department", "list"])).stdout).toBe(
    "name        people\nmanagement  1\nMarketing   2\nsales       1\n",
  )
})
