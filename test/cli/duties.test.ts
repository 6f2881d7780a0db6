import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

const ana = ["create-user", "Ana Souza", "ana@example.com", "her password", "sales"]

test("duties gives duties, takes them back, and lists who has some; the audit log has each change", async () => {
  await using operates = await operator()
  await operates.types(ana)

  const given = await operates.types(["duties", "ana-souza", "--add", "people,insights"])
  const changed = await operates.types([
    "duties",
    "ana@example.com",
    "--remove",
    "people",
    "--add",
    "rewards",
    "--json",
  ])
  const shown = await operates.types(["duties", "ana-souza", "--json"])
  const listed = await operates.types(["duties"])
  await operates.types(["duties", "ana-souza", "--remove", "insights", "--remove", "rewards"])
  const nobody = await operates.types(["duties", "--json"])

  expect(given).toEqual(done("username   duties\nana-souza  insights, people"))
  expect(JSON.parse(changed.stdout)).toEqual([{ username: "ana-souza", duties: ["insights", "rewards"] }])
  expect(shown.stdout).toBe(changed.stdout)
  expect(listed).toEqual(done("username   duties\nana-souza  insights, rewards"))
  expect(JSON.parse(nobody.stdout)).toEqual([])
  const audited = await operates.types(["audit", "--action", "duties_changed", "--json"])
  expect((JSON.parse(audited.stdout) as { detail: string }[]).map(({ detail }) => detail)).toEqual([
    "none -> insights, people",
    "insights, people -> insights, rewards",
    "insights, rewards -> none",
  ])
})

test("duties refuses unknown duties and people, and gives none to superusers or to somebody who has left", async () => {
  await using operates = await operator()
  await operates.types(ana)
  const help = "See: rewards duties --help"

  expect(await operates.types(["duties", "ana-souza", "--add", "finance"])).toEqual(
    refused("duties: some of insights, rewards, people, programme"),
  )
  expect(await operates.types(["duties", "ana-souza", "--remove", "People"])).toEqual(
    refused("duties: some of insights, rewards, people, programme"),
  )
  expect(await operates.types(["duties", "nobody", "--add", "people"])).toEqual(refused("User not found: nobody"))
  expect(await operates.types(["duties", "admin", "--add", "people"])).toEqual(refused("duties: superusers need none"))
  expect(await operates.types(["duties", "--add", "people"])).toEqual(
    misused("name the user whose duties change", help),
  )
  expect(await operates.types(["duties", "ana-souza", "--add", "people", "--remove", "people"])).toEqual(
    misused("give a duty or take it back, not both", help),
  )
  await operates.types(["user", "deactivate", "ana-souza"])
  expect(await operates.types(["duties", "ana-souza", "--add", "people"])).toEqual(
    refused("duties: the account is not active; reactivate it first"),
  )
  expect(JSON.parse((await operates.types(["duties", "--json"])).stdout)).toEqual([])
})
