import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

const help = "See: rewards programme set --help"

test("programme shows each value as programme set takes it", async () => {
  await using operates = await operator()
  const { stdout } = await operates.types(["programme"])
  const rows = stdout
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/\s{2,}/))

  expect(rows).toContainEqual(["points_name.one", "point"])
  expect(rows).toContainEqual(["amounts", "10,25,50,100"])
  expect(rows).toContainEqual(["most_to_one.points", "none"])
  expect(rows).toContainEqual(["occasions.birthday.active", "no"])
  expect(rows).toHaveLength(22)
  for (const [key = "", value = ""] of rows)
    expect(await operates.types(["programme", "set", key, value])).toEqual(done(`${key}: ${value}`))
  expect((await operates.types(["audit", "--action", "programme_changed", "--json"])).stdout.trim()).toBe("[]")
})

test("programme set changes one value, and the audit log names the operator and both values", async () => {
  await using operates = await operator()
  await operates.types(["programme"])
  const set = (key: string, value: string) => operates.types(["programme", "set", key, value])

  expect(await set("amounts_shown", "concerned")).toEqual(done("amounts_shown: concerned"))
  expect(await set("amounts", "50, 5")).toEqual(done("amounts: 5,50"))
  expect(await set("tags", "care,team")).toEqual(done("tags: care,team"))
  expect(await set("most_to_one.points", "20")).toEqual(done("most_to_one.points: 20"))
  expect(await set("occasions.first_day.active", "yes")).toEqual(done("occasions.first_day.active: yes"))
  expect(await set("point_value", "0.05 EUR")).toEqual(done("point_value: 0.05 EUR"))
  expect(await set("point_value", "none")).toEqual(done("point_value: none"))

  const { stdout } = await operates.types(["programme", "--json"])
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ amounts_shown: "concerned", amounts: [5, 50], leaderboard: "everyone", point_value: null },
    tags: [{ name: "care", emoji: null, description: null }, { name: "team" }],
    most_to_one: { points: 20, period: "month" },
    occasions: { first_day: { active: true, points: 50 }, birthday: { active: false } },
  })
  const changed = await operates.types(["programme", "set", "leaderboard", "off", "--json"])
  expect(JSON.parse(changed.stdout)).toMatchObject({ leaderboard: "off", amounts: [5, 50] })
  const audited = await operates.types(["audit", "--action", "programme_changed", "--json"])
  expect(JSON.parse(audited.stdout)).toContainEqual(
    expect.objectContaining({ who: "olga", way: "command line", detail: 'amounts_shown: "everyone" -> "concerned"' }),
  )
})

test("programme set refuses what PATCH refuses, unknown keys, and values of another form; nothing changes", async () => {
  await using operates = await operator()
  await operates.types(["programme"])
  const set = (...args: string[]) => operates.types(["programme", "set", ...args])

  expect(await set("leaderboard", "nobody")).toEqual(refused("leaderboard: one of everyone, superusers, off"))
  expect(await set("tag", "required")).toEqual(refused("tag: optional, as long as there are no tags"))
  expect(await set("amounts", "0")).toEqual(refused("amounts.0: an integer from 1 to 9007199254740991"))
  expect(await set("point_value", "0.05 EURO")).toEqual(
    refused("point_value.currency: the code of a currency, such as EUR"),
  )
  expect(await set("leaderbord", "off")).toEqual(
    misused("KEY: one of those that `rewards programme` shows; did you mean leaderboard?", help),
  )
  expect(await set("constructor", "off")).toEqual(misused("KEY: one of those that `rewards programme` shows", help))
  expect(await set("reason_min", "ten")).toEqual(misused("VALUE must be an integer", help))
  expect(await set("occasions.birthday.active", "true")).toEqual(misused("VALUE: yes or no", help))
  expect(await set("point_value", "EUR")).toEqual(misused("the amount of VALUE must be a number such as 12.5", help))
  expect(await set("leaderboard")).toEqual(misused("missing VALUE", help))
  expect((await operates.types(["audit", "--action", "programme_changed", "--json"])).stdout.trim()).toBe("[]")
})
