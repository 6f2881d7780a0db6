import type { App } from "../app/app.ts"
import { DomainError } from "../domain/errors.ts"
import type { Reward, RewardChange } from "../domain/rewards/model.ts"
import { rewardView } from "../formats/views/rewards.ts"
import { type Operator, withApp, withOperator } from "./support/app.ts"
import { argument, decimalOf, flag, idArg, integerOf, option, pathArg } from "./support/arguments.ts"
import { type CommandContext, command, type FileArgs, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { fileBytes } from "./support/files.ts"
import { json, table, visible } from "./support/terminal.ts"

const which = { id: idArg("a reward") } as const

const fieldArgs = {
  description: option("TEXT", "What people get"),
  stock: option("N", "How many there are; without it, as many as are asked for"),
  limit: option("N", "How many one person may redeem; without it, any number"),
  "money-value": option("AMOUNT", "What it is worth in money, such as 12.50"),
  taxable: flag("Whoever gets it has to pay tax on it"),
  emoji: option("EMOJI", "Its cover, in place of a picture"),
} as const

export const rewardAdd = command({
  name: "reward add",
  description: "Add a reward to the catalogue",
  example: `rewards reward add "Coffee mug" 120 --stock 40 --limit 1`,
  args: {
    name: argument("Its name"),
    cost: argument("How many points it costs"),
    ...fieldArgs,
    hidden: flag("Do not offer it yet"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ name, cost, description, stock, limit, emoji, hidden, taxable, ...args }, context) {
    const request = {
      ...{ name, description, emoji, isActive: hidden !== true, isTaxable: taxable === true },
      ...numbersOf({ stock, limit, moneyValue: args["money-value"] }),
      cost: integerOf("COST", cost),
    }
    const reward = await withOperator(context, args, ({ catalogue }, by) => catalogue.create(by, request))
    await context.print(args.json ? json(rewardView(reward)) : `${named(reward)} added; ${stateOf(reward)}`)
  },
})

const columns = ["id", "name", "cost", "stock", "limit", "offered", "description"] as const

export const rewardList = command({
  name: "reward list",
  description: "List the rewards, also those that are not offered",
  example: "rewards reward list",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const rewards = await withApp(context, args, ({ store }) => store.rewards.list())
    const rows = rewards.map(({ id, name, cost, stock, limitPerPerson, isActive, description }) => [
      ...[`${id}`, name, `${cost}`, `${stock ?? "any"}`, `${limitPerPerson ?? "any"}`, isActive ? "yes" : "no"],
      description ?? "",
    ])
    await context.print(args.json ? json(rewards.map(rewardView)) : table(columns, rows))
  },
})

export const rewardChange = command({
  name: "reward change",
  description: "Change a reward; earlier redemptions keep what it was",
  example: "rewards reward change 3 --cost 150 --stock 20",
  args: {
    ...which,
    name: option("NAME", "Its new name"),
    cost: option("N", "How many points it costs"),
    description: fieldArgs.description,
    "no-description": flag("Remove its description"),
    stock: { ...fieldArgs.stock, description: "How many are left" },
    "no-stock": flag("As many as are asked for"),
    limit: { ...fieldArgs.limit, description: "How many one person may redeem" },
    "no-limit": flag("Any number for each person"),
    "money-value": fieldArgs["money-value"],
    "no-money-value": flag("Say no longer what it is worth"),
    taxable: fieldArgs.taxable,
    "not-taxable": flag("Nobody has to pay tax on it"),
    emoji: fieldArgs.emoji,
    "no-emoji": flag("Remove its emoji"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ id, name, cost, description, stock, limit, taxable, emoji, ...args }, context) {
    const moneyValue = args["money-value"]
    const given = { description, stock, limit, emoji, "money-value": moneyValue }
    for (const field of ["description", "stock", "limit", "emoji", "money-value"] as const)
      if (given[field] !== undefined && args[`no-${field}`])
        throw new UsageError(`give either --${field} or --no-${field}`)
    if (taxable && args["not-taxable"]) throw new UsageError("give either --taxable or --not-taxable")
    const change: RewardChange = {
      ...(name !== undefined && { name }),
      ...(cost !== undefined && { cost: integerOf("--cost", cost) }),
      ...(description !== undefined && { description }),
      ...numbersOf({ stock, limit, moneyValue }),
      ...(taxable && { isTaxable: true }),
      ...(args["not-taxable"] && { isTaxable: false }),
      ...(args["no-money-value"] && { moneyValue: null }),
      ...(emoji !== undefined && { emoji }),
      ...(args["no-emoji"] && { emoji: null }),
      ...(args["no-description"] && { description: null }),
      ...(args["no-stock"] && { stock: null }),
      ...(args["no-limit"] && { limitPerPerson: null }),
    }
    if (Object.keys(change).length === 0) throw new UsageError("name what to change, such as --cost")
    const reward = await onOne(context, args, id, (app, by, reward) => app.catalogue.change(by, reward, change))
    await context.print(args.json ? json(rewardView(reward)) : `${named(reward)} changed; ${stateOf(reward)}`)
  },
})

export const rewardSetPicture = command({
  name: "reward set-picture",
  description: "Set the picture of a reward",
  example: "rewards reward set-picture 3 mug.webp",
  args: {
    ...which,
    file: { ...pathArg, required: true, description: "A PNG, JPEG or WebP picture, or - for standard input" },
    ...fileArgs,
  },
  async run({ id, file, ...args }, context) {
    const bytes = await fileBytes(file, context, maxPictureFile)
    const reward = await onOne(context, args, id, (app, by, reward) => app.catalogue.savePicture(by, reward, bytes))
    await context.print(`${named(reward)} picture set`)
  },
})

/** The rule of a picture is stricter, and names its bound. This one only keeps a wrong file out of memory. */
const maxPictureFile = 1_000_000

export const rewardOffer = offering("offer", "Offer a reward, so that people see it and can redeem it", true)

export const rewardWithdraw = offering("withdraw", "Offer a reward no longer; redemptions of it stay", false)

function offering(verb: string, description: string, isActive: boolean) {
  return command({
    name: `reward ${verb}`,
    description,
    example: `rewards reward ${verb} 3`,
    args: { ...which, ...fileArgs },
    async run({ id, ...args }, context) {
      const reward = await onOne(context, args, id, (app, by, reward) => app.catalogue.change(by, reward, { isActive }))
      await context.print(`${named(reward)} ${stateOf(reward)}`)
    },
  })
}

/** Does something with the reward of this id. */
function onOne(
  context: CommandContext,
  args: FileArgs,
  id: string,
  work: (app: App, by: Operator, reward: Reward) => Promise<Reward>,
): Promise<Reward> {
  return withOperator(context, args, async (app, by) => {
    const reward = await app.store.rewards.find(Number(id))
    if (!reward) throw new DomainError("reward_not_found")
    return work(app, by, reward)
  })
}

interface GivenNumbers {
  readonly stock: string | undefined
  readonly limit: string | undefined
  readonly moneyValue: string | undefined
}

const numbersOf = ({ stock, limit, moneyValue }: GivenNumbers) => ({
  ...(stock !== undefined && { stock: integerOf("--stock", stock) }),
  ...(limit !== undefined && { limitPerPerson: integerOf("--limit", limit) }),
  ...(moneyValue !== undefined && { moneyValue: decimalOf("--money-value", moneyValue) }),
})

const named = ({ id, name }: Reward): string => `Reward ${id} (${visible(name)}):`

const stateOf = ({ isActive, cost, stock }: Reward): string =>
  isActive ? `offered for ${cost}${stock === null ? "" : `, ${stock} left`}` : "not offered"
