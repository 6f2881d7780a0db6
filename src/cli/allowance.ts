import type { App } from "../app/app.ts"
import type { AudienceRequest } from "../domain/allowances/allowance-fields.ts"
import type { PlannedAllowance } from "../domain/allowances/allowances.ts"
import { type Allowance, allowanceModes, allowancePeriods, catchUps } from "../domain/allowances/model.ts"
import { DomainError } from "../domain/errors.ts"
import type { Store } from "../domain/store.ts"
import { type Operator, usernamesOf, withApp, withOperator } from "./support/app.ts"
import { argument, idArg, integerOf, listOption, option, partsOf } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { counted, isoTime, json, table, visible } from "./support/terminal.ts"

/** Adds an allowance. */
export const allowanceAdd = command({
  name: "allowance add",
  description: "Add an allowance: points that admin pays to people at intervals",
  example: "rewards allowance add 'Monthly allowance' 100 --mode top_up --period month --on 1 --at 09:00",
  args: {
    name: argument("Its name"),
    value: argument("Points for each person"),
    mode: {
      ...option(
        allowanceModes.join("|"),
        "add points; top_up the budget to that many; or reset it to that many, and the rest expires",
      ),
      default: "add",
    },
    period: { ...option(allowancePeriods.join("|"), "How often it is paid"), default: "month" },
    on: option("DAY", "Weekday from 1 (Monday) to 7, or day of the month: 1 to 28 or last; the default is 1"),
    at: option("HH:MM", "Time, in service.time_zone; the default is 09:00"),
    dept: option("NAME", "Only this department; without it and --to, everybody"),
    to: listOption("NAMES", "Only these usernames or e-mail addresses, separated by commas; may be repeated"),
    reason: option("TEXT", "Reason, stored with each transaction"),
    starts: option("DAY", "First day, such as 2027-01-01"),
    ends: option("DAY", "Last day"),
    "catch-up": {
      ...option(catchUps.join("|"), "What is paid after the server was down: the latest missed period, or none"),
      default: "latest",
    },
    ...jsonArg,
    ...fileArgs,
  },
  async run(
    { name, value, mode, period, on, at, dept, to, reason, starts, ends, "catch-up": catch_up, ...args },
    context,
  ) {
    if (dept !== undefined && to.length > 0) throw new UsageError("give either --dept or --to")
    const request = {
      ...{ name, value: integerOf("VALUE", value), mode, period, catch_up, at, reason },
      ...{ starts_on: starts, ends_on: ends },
      on: on === undefined || !/^\d+$/.test(on) ? on : Number(on),
    }
    const added = await withOperator(context, args, async ({ allowances, store }, by) =>
      allowances.add(by, { ...request, audience: await audienceOf(store, dept, to) }),
    )
    await context.print(args.json ? json(shown(added)) : `${named(added.allowance)} added; ${nextOf(added)}`)
  },
})

const columns = ["id", "name", "value", "mode", "period", "audience", "active", "next", "last"] as const

export const allowanceList = command({
  name: "allowance list",
  description: "List the allowances",
  example: "rewards allowance list",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const found = (await withApp(context, args, ({ allowances }) => Array.fromAsync(allowances.list()))).map(shown)
    const rows = found.map((one) => [
      ...[one.id, one.name, one.value, one.mode, schedule(one), audienceText(one), one.active ? "yes" : "paused"].map(
        String,
      ),
      ...[one.next ?? "", one.last ?? ""],
    ])
    await context.print(args.json ? json(found) : table(columns, rows))
  },
})

export const allowancePause = onOne(
  "pause",
  "Stop paying an allowance until it is resumed",
  async (app, by, allowance) => {
    await app.allowances.change(by, allowance, { active: false })
    return "paused"
  },
)

export const allowanceResume = onOne(
  "resume",
  "Pay a paused allowance again, from now on",
  async (app, by, allowance) => `resumed; ${nextOf(await app.allowances.change(by, allowance, { active: true }))}`,
)

export const allowanceRemove = onOne(
  "remove",
  "Remove an allowance; what was paid stays",
  async (app, by, allowance) => {
    await app.allowances.remove(by, allowance)
    return "removed"
  },
)

export const allowanceRun = onOne("run", "Pay the current period of an allowance now", async (app, by, allowance) => {
  const { people, total, expired, firstDay } = await app.allowances.run(by, allowance)
  const paid = `${total} paid to ${counted(people, "user")} for the period from ${firstDay}`
  return expired === 0 ? paid : `${paid}; ${expired} expired`
})

/** A command about one allowance; prints the allowance's name and what `work` returns. */
function onOne(
  verb: string,
  description: string,
  work: (app: App, by: Operator, allowance: Allowance) => Promise<string>,
) {
  return command({
    name: `allowance ${verb}`,
    description,
    example: `rewards allowance ${verb} 3`,
    args: { id: idArg("an allowance"), ...fileArgs },
    async run({ id, ...args }, context) {
      const text = await withOperator(context, args, async (app, by) => {
        const allowance = await app.store.allowances.find(Number(id))
        if (!allowance) throw new DomainError("allowance_not_found")
        return `${named(allowance)} ${await work(app, by, allowance)}`
      })
      await context.print(text)
    },
  })
}

async function audienceOf(
  store: Pick<Store, "users">,
  dept: string | undefined,
  to: readonly string[],
): Promise<AudienceRequest> {
  if (dept !== undefined) return { dept }
  return to.length > 0 ? { usernames: await usernamesOf(store, partsOf(to)) } : { everyone: true }
}

const named = ({ id, name }: Pick<Allowance, "id" | "name">): string => `Allowance ${id} (${visible(name)}):`

const nextOf = ({ nextRunAt }: PlannedAllowance): string =>
  nextRunAt === null ? "nothing more falls due" : `next paid at ${isoTime(nextRunAt)}`

const shown = ({ allowance, nextRunAt, usernames }: PlannedAllowance) => ({
  id: allowance.id,
  name: allowance.name,
  value: allowance.value,
  mode: allowance.mode,
  period: allowance.period,
  on: allowance.dueDay,
  at: allowance.dueTime,
  audience: "userIds" in allowance.audience || "named" in allowance.audience ? { usernames } : allowance.audience,
  starts_on: allowance.startsOn,
  ends_on: allowance.endsOn,
  catch_up: allowance.catchUp,
  active: allowance.isActive,
  next: nextRunAt === null ? null : isoTime(nextRunAt),
  last: allowance.lastRunAt === null ? null : isoTime(allowance.lastRunAt),
})

type Shown = ReturnType<typeof shown>

const schedule = ({ period, on, at }: Shown): string => `${period}${on === null ? "" : ` on ${on}`} at ${at}`

function audienceText({ audience }: Shown): string {
  if ("usernames" in audience) return audience.usernames.join(", ")
  if ("damaged" in audience) return "damaged"
  return "dept" in audience ? `department ${audience.dept}` : "everyone"
}
