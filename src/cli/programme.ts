import { type Occasion, type OccasionKind, occasionKinds, type Programme } from "../domain/programme/model.ts"
import type { ProgrammeRequest } from "../domain/programme/programme-fields.ts"
import { programmeView } from "../formats/views/programme.ts"
import { withApp, withOperator } from "./support/app.ts"
import { argument, decimalOf, integerOf, partsOf } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { didYouMean, nearestNames } from "./support/suggestions.ts"
import { json, table, visible } from "./support/terminal.ts"

/** A value of the programme as text: what is shown can be typed. */
interface Field {
  readonly show: (programme: Programme) => string
  /** @throws UsageError for text of another form; the rules of the programme check the rest. */
  readonly read: (text: string, before: Programme) => ProgrammeRequest
}

const none = "none"
const integer = (text: string): number => integerOf("VALUE", text)

const fields: Readonly<Record<string, Field>> = {
  "points_name.one": { show: ({ points_name }) => points_name.one, read: (one) => ({ points_name: { one } }) },
  "points_name.many": { show: ({ points_name }) => points_name.many, read: (many) => ({ points_name: { many } }) },
  amounts: {
    show: ({ amounts }) => amounts.join(","),
    read: (text) => ({ amounts: partsOf([text]).map(integer) }),
  },
  reason: { show: ({ reason }) => reason, read: (reason) => ({ reason }) },
  reason_min: { show: ({ reason_min }) => `${reason_min}`, read: (text) => ({ reason_min: integer(text) }) },
  tag: { show: ({ tag }) => tag, read: (tag) => ({ tag }) },
  tags: {
    show: ({ tags }) => tags.map(({ name }) => name).join(",") || none,
    // Emoji and description of a tag that stays are kept.
    read: (text, { tags }) => ({
      tags: (text === none ? [] : partsOf([text])).map((name) => tags.find((tag) => tag.name === name) ?? { name }),
    }),
  },
  "most_to_one.points": {
    show: ({ most_to_one }) => `${most_to_one.points ?? none}`,
    read: (text) => ({ most_to_one: { points: text === none ? null : integer(text) } }),
  },
  "most_to_one.period": {
    show: ({ most_to_one }) => most_to_one.period,
    read: (period) => ({ most_to_one: { period } }),
  },
  amounts_shown: { show: ({ amounts_shown }) => amounts_shown, read: (amounts_shown) => ({ amounts_shown }) },
  leaderboard: { show: ({ leaderboard }) => leaderboard, read: (leaderboard) => ({ leaderboard }) },
  give_from: { show: ({ give_from }) => give_from, read: (give_from) => ({ give_from }) },
  ...Object.fromEntries(occasionKinds.flatMap(fieldsOfOccasion)),
  point_value: {
    show: ({ point_value }) => (point_value === null ? none : `${point_value.amount} ${point_value.currency}`),
    read: (text) => ({ point_value: text === none ? null : pointValueOf(text) }),
  },
}

function fieldsOfOccasion(kind: OccasionKind): [string, Field][] {
  const change = (changed: Partial<Occasion>): ProgrammeRequest => ({ occasions: { [kind]: changed } })
  return [
    [
      `occasions.${kind}.points`,
      { show: ({ occasions }) => `${occasions[kind].points}`, read: (text) => change({ points: integer(text) }) },
    ],
    [`occasions.${kind}.text`, { show: ({ occasions }) => occasions[kind].text, read: (text) => change({ text }) }],
    [
      `occasions.${kind}.active`,
      {
        show: ({ occasions }) => (occasions[kind].active ? "yes" : "no"),
        read: (text) => change({ active: isYes(text) }),
      },
    ],
  ]
}

function isYes(text: string): boolean {
  if (text !== "yes" && text !== "no") throw new UsageError("VALUE: yes or no")
  return text === "yes"
}

function pointValueOf(text: string) {
  const [amount = "", currency = ""] = text.split(" ")
  return { amount: decimalOf("the amount of VALUE", amount), currency }
}

export const programme = command({
  name: "programme",
  description: "Show what those who run the programme decide: reasons, tags, limits, who sees what",
  example: "rewards programme",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const now = await withApp(context, args, (app) => app.programme.current())
    const rows = Object.entries(fields).map(([key, { show }]) => [key, visible(show(now))])
    await context.print(args.json ? json(programmeView(now)) : table(["key", "value"], rows))
  },
})

export const programmeSet = command({
  name: "programme set",
  description: "Change one value of the programme; servers follow within a second",
  example: "rewards programme set amounts_shown concerned",
  args: {
    key: argument("What to change, as `rewards programme` shows it"),
    value: argument("Its new value, likewise; lists are separated by commas"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ key, value, ...args }, context) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined)
      throw new UsageError(
        `KEY: one of those that \`rewards programme\` shows${didYouMean(nearestNames(key, Object.keys(fields)))}`,
      )
    const after = await withOperator(context, args, async (app, by) =>
      app.programme.change(by, field.read(value, await app.programme.current())),
    )
    await context.print(args.json ? json(programmeView(after)) : `${key}: ${visible(field.show(after))}`)
  },
})
