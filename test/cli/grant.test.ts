import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

const hint = "See: rewards grant --help"

/** Ana and Bruno of sales, Carla of support. */
async function operatorWithPeople() {
  const operates = await operator()
  const people = "name,email,dept\nAna,a@example.com,sales\nBruno,b@example.com,sales\nCarla,c@example.com,support\n"
  await operates.types(["import-users", "-"], { stdin: people })
  return operates
}

test("sends points from admin to those named and to a department, and tells who got them", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["grant", "10", "--to", "carla, ana", "--dept", "sales"])).toEqual(
    done("carla: 10", "ana: 10", "bruno: 10", "given: 30 to 3 users; admin has -30 left"),
  )
  expect(await operates.types(["grant", "5", "--dept", "sales", "--json"])).toMatchObject({
    status: 0,
    stdout: `${JSON.stringify({ receivers: ["ana", "bruno"], value: 5, total: 10, left: -40 }, null, 2)}\n`,
  })
})

test("--to and --dept may be repeated, and each adds to the receivers", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["grant", "10", "--dept", "support", "--dept", "sales"])).toEqual(
    done("carla: 10", "ana: 10", "bruno: 10", "given: 30 to 3 users; admin has -30 left"),
  )
  expect(await operates.types(["grant", "1", "--to", "ana", "--to=bruno, carla"])).toEqual(
    done("ana: 1", "bruno: 1", "carla: 1", "given: 3 to 3 users; admin has -33 left"),
  )
})

test("of several departments each must have somebody, or nobody gets anything", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["grant", "10", "--dept", "sales", "--dept", "suport"])).toEqual(
    refused("depts: nobody else is in number 2"),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("any other option given twice is wrong usage, and nothing is done", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["grant", "10", "--to", "ana", "--reason", "a", "--reason", "b"])).toEqual(
    misused("option --reason is given twice", hint),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("every way of the command line to send points leaves an audit entry that names who typed it", async () => {
  await using operates = await operatorWithPeople()
  const env = { SUDO_USER: "oscar" }

  await operates.types(["transaction", "ana", "7"], { env })
  await operates.types(["grant", "10", "--dept", "sales", "--to", "carla"])
  await operates.types(["grant", "10", "--to", "ana", "--dry-run"])
  await operates.types(["grant", "10", "--to", "nobody"])
  await operates.types(["transaction", "ana", "0"])

  const entries = async (action: string) =>
    JSON.parse((await operates.types(["audit", "--action", action, "--json"])).stdout).map(
      ({ who, whom, way, detail }: Record<string, string>) => [who, whom, way, detail],
    )
  expect(await entries("points_sent")).toEqual([["oscar", "ana", "command line", "7"]])
  expect(await entries("points_granted")).toEqual([["olga", null, "command line", "10 each to 3, 30 in all"]])
})

test("reason and tags are stored with each", async () => {
  await using operates = await operatorWithPeople()
  const env = { REWARDS_RECOGNITION__TAGS: "fair,team" }
  const note = ["--reason", "For the fair", "--tags", "fair,team"]

  expect((await operates.types(["grant", "1", "--to", "ana", ...note], { env })).status).toBe(0)
  expect(await operates.types(["grant", "1", "--to", "ana", "--tags", "fun"], { env })).toEqual(
    refused("tags: each at most once, of fair, team"),
  )

  const { stdout } = await operates.types(["export", "transactions"])
  expect(stdout).toContain(",ana,Ana,sales,1,For the fair,fair team")
})

test("a dry run tells the same, or what stands against it, and changes nothing", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["grant", "10", "--to", "ana", "--dry-run"])).toEqual(
    done("ana: 10", "would be given: 10 to 1 user; admin would have -10 left"),
  )
  expect(await operates.types(["grant", "10", "--to", "ana,eva,no\u001bbody", "--dry-run"])).toEqual(
    refused("User not found: eva, no\\u{1b}body"),
  )

  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("all unknown names are reported, and nobody gets anything", async () => {
  await using operates = await operatorWithPeople()

  expect(await operates.types(["grant", "10", "--to", "ana,eva,fred"])).toEqual(refused("User not found: eva, fred"))
  expect(await operates.types(["grant", "10", "--dept", "nobody's"])).toEqual(
    refused("dept: nobody else is in this department"),
  )
  expect(await operates.types(["grant", "0", "--to", "ana"])).toEqual(
    refused("value: an integer from 1 to 9007199254740991"),
  )

  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("nobody to give to, or a value that is no integer, is wrong usage", async () => {
  await using operates = await operator()

  expect(await operates.types(["grant", "10"])).toEqual(misused("name the receivers with --to or --dept", hint))
  expect(await operates.types(["grant", "ten", "--to", "ana"])).toEqual(misused("VALUE must be an integer", hint))
})
