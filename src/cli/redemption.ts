import type { App } from "../app/app.ts"
import { DomainError } from "../domain/errors.ts"
import type { Actor } from "../domain/people/roles.ts"
import { type Redemption, redemptionStates } from "../domain/rewards/model.ts"
import { redemptionView } from "../formats/views/rewards.ts"
import { userNamed, withApp, withOperator } from "./support/app.ts"
import { idArg, limitOf, option } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { json, table, visible } from "./support/terminal.ts"

const columns = ["id", "date", "username", "reward_name", "cost", "state", "comment", "answer"] as const

export const redemptionList = command({
  name: "redemption list",
  description: "List redemptions of rewards, newest first",
  example: "rewards redemption list --state requested",
  args: {
    state: option(redemptionStates.join("|"), "Only redemptions in this state"),
    user: option("USERNAME", "Only redemptions of this user"),
    limit: { ...option("COUNT", "Only this many of the newest"), default: "100" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ state, user, limit, ...args }, context) {
    const found = await withApp(context, args, async ({ store }) =>
      store.rewards.redemptions({
        state: redemptionStates.find((known) => known === state),
        userId: user === undefined ? undefined : (await userNamed(store, user)).id,
        limit: limitOf(limit),
      }),
    )
    const items = found.map(shown)
    const rows = items.map((one) => columns.map((column) => `${one[column] ?? ""}`))
    await context.print(args.json ? json(items) : table(columns, rows))
  },
})

export const redemptionFulfil = answering(
  "fulfil",
  "Mark a redemption as fulfilled, and tell the person",
  `rewards redemption fulfil 1042 --answer "It is at the reception"`,
  ({ redemptions }) => redemptions.fulfil,
  () => "fulfilled",
)

export const redemptionDecline = answering(
  "decline",
  "Decline a redemption, which returns the points, and tell the person",
  `rewards redemption decline 1042 --answer "Sold out; more come in May"`,
  ({ redemptions }) => redemptions.decline,
  ({ cost, username }) => `declined, ${cost} returned to ${visible(username)}`,
)

type Answer = (actor: Actor, redemption: Redemption, answer: string | undefined) => Promise<Redemption>

function answering(
  verb: string,
  description: string,
  example: string,
  answerOf: (app: App) => Answer,
  done: (redemption: Redemption) => string,
) {
  return command({
    name: `redemption ${verb}`,
    description,
    example,
    args: {
      id: idArg("a redemption"),
      answer: option("TEXT", "What the person reads about it"),
      ...jsonArg,
      ...fileArgs,
    },
    async run({ id, answer, ...args }, context) {
      const redemption = await withOperator(context, args, async (app, by) => {
        const found = await app.store.rewards.redemption(Number(id))
        if (!found) throw new DomainError("redemption_not_found")
        return answerOf(app)(by, found, answer)
      })
      const { rewardName, username } = redemption
      const text = `Redemption ${redemption.id} (${visible(rewardName)} for ${visible(username)}): ${done(redemption)}`
      await context.print(args.json ? json(shown(redemption)) : text)
    },
  })
}

function shown(redemption: Redemption) {
  const { transaction: _, ...rest } = redemptionView(redemption)
  return rest
}
