import { expect, test } from "bun:test"
import { join } from "node:path"
import { pictures } from "../support/pictures.ts"
import { done, misused, operator, operatorWithDatabase, refused } from "./operator.ts"

const changeHint = "See: rewards reward change --help"

test("rewards are added, changed, withdrawn, offered and listed", async () => {
  await using operates = await operatorWithDatabase()
  const types = (...args: string[]) => operates.types(["reward", ...args])

  expect(
    await types("add", "Coffee mug", "120", "--stock", "40", "--limit", "1", "--money-value", "12.50", "--taxable"),
  ).toEqual(done("Reward 1 (Coffee mug): added; offered for 120, 40 left"))
  expect(await types("add", "A day off", "2000", "--description", "Any Friday", "--hidden")).toEqual(
    done("Reward 2 (A day off): added; not offered"),
  )
  expect(await types("change", "1", "--cost", "150", "--no-stock", "--name", "Mug", "--emoji", "☕")).toEqual(
    done("Reward 1 (Mug): changed; offered for 150"),
  )
  expect(await types("withdraw", "1")).toEqual(done("Reward 1 (Mug): not offered"))
  expect(await types("offer", "2")).toEqual(done("Reward 2 (A day off): offered for 2000"))

  expect(await types("list")).toEqual(
    done(
      "id  name       cost  stock  limit  offered  description",
      "1   Mug        150   any    1      no",
      "2   A day off  2000  any    any    yes      Any Friday",
    ),
  )
  const { stdout } = await types("list", "--json")
  expect(JSON.parse(stdout)).toEqual([
    {
      ...{ id: 1, name: "Mug", description: null, cost: 150, picture: null },
      ...{ stock: null, limit_per_person: 1, active: false, emoji: "☕", money_value: 12.5, taxable: true },
    },
    expect.objectContaining({ id: 2, description: "Any Friday", limit_per_person: null, active: true }),
  ])
})

test("a change of a reward can also remove what was said of it", async () => {
  await using operates = await operator()
  const types = (...args: string[]) => operates.types(["reward", ...args])
  await types(
    "add",
    "Mug",
    "1",
    "--description",
    "Blue",
    "--limit",
    "2",
    "--emoji",
    "☕",
    "--money-value",
    "5",
    "--taxable",
  )

  const removed = ["--no-description", "--no-emoji", "--no-limit", "--no-money-value", "--not-taxable"]
  const { stdout } = await types("change", "1", ...removed, "--json")

  const left = { description: null, limit_per_person: null, emoji: null, money_value: null, taxable: false }
  expect(JSON.parse(stdout)).toMatchObject(left)
})

test("every change of the catalogue leaves an audit entry with the operator's name", async () => {
  await using operates = await operator()
  await operates.types(["reward", "add", "Mug", "1"], { env: { SUDO_USER: "oscar" } })
  await operates.types(["reward", "withdraw", "1"])

  const { stdout } = await operates.types(["audit", "--limit", "2", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([
    { action: "reward_created", who: "oscar", way: "command line", detail: "Mug" },
    { action: "reward_changed", who: "olga", way: "command line", detail: "Mug" },
  ])
})

test("reward set-picture takes a picture from a file or standard input, and nothing else", async () => {
  await using operates = await operator()
  const types = (args: string[], stdin?: Uint8Array) =>
    operates.types(["reward", ...args], stdin === undefined ? {} : { stdin })
  const { png } = pictures
  await types(["add", "Mug", "1"])
  await Bun.write(join(operates.folder, "mug.png"), png)

  expect(await types(["set-picture", "1", "mug.png"])).toEqual(done("Reward 1 (Mug): picture set"))
  expect(await types(["set-picture", "1", "-"], png)).toMatchObject({ status: 0 })
  expect((await types(["list", "--json"])).stdout).toMatch(/"picture": "\/api\/v1\/rewards\/|"picture": "\//)

  const wrong = refused("picture: a PNG, JPEG or WebP picture of at most 65536 bytes")
  expect(await types(["set-picture", "1", "-"], Buffer.from("GIF89a"))).toEqual(wrong)
  expect(await types(["set-picture", "1", "-"], Buffer.concat([png, Buffer.alloc(70_000)]))).toEqual(wrong)
  expect(await types(["set-picture", "1", "no.png"])).toEqual(refused("cannot read no.png: there is no such file"))
})

test("a reward outside its rules is refused, and one that does not exist is not found", async () => {
  await using operates = await operator()
  const types = (...args: string[]) => operates.types(["reward", ...args])
  await types("add", "Mug", "1")

  expect(await types("add", " ", "1")).toEqual(refused("name: 1 to 100 visible characters on one line"))
  expect(await types("add", "Mug", "0")).toEqual(refused("cost: an integer from 1 to 9007199254740991"))
  expect(await types("add", "Mug", "1", "--stock", "-1")).toEqual(refused("stock: an integer from 0 to 1000000000"))
  expect(await types("change", "2", "--cost", "1")).toEqual(refused("Reward not found"))
  expect(await types("withdraw", "2")).toEqual(refused("Reward not found"))
  expect((await types("list")).stdout.trimEnd().split("\n")).toHaveLength(2)
})

for (const [args, message, hint] of [
  [["add"], "missing NAME COST", "See: rewards reward add --help"],
  [["add", "Mug", "ten"], "COST must be an integer", "See: rewards reward add --help"],
  [["add", "Mug", "1", "--stock", "any"], "--stock must be an integer", "See: rewards reward add --help"],
  [
    ["add", "Mug", "1", "--money-value", "12,5"],
    "--money-value must be a number such as 12.5",
    "See: rewards reward add --help",
  ],
  [["change", "1", "--taxable", "--not-taxable"], "give either --taxable or --not-taxable", changeHint],
  [["change", "1"], "name what to change, such as --cost", changeHint],
  [["change", "mug", "--cost", "1"], "ID must be the id of a reward", changeHint],
  [["change", "1", "--stock", "1", "--no-stock"], "give either --stock or --no-stock", changeHint],
  [["remove", "1"], "unknown command reward remove", "See: rewards reward --help"],
] as const)
  test(`wrong usage: rewards reward ${args.join(" ")}`, async () => {
    await using operates = await operator()

    expect(await operates.types(["reward", ...args])).toEqual(misused(message, hint))
  })
