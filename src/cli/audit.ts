import { type AuditAction, type AuditRecord, auditActions } from "../domain/audit/ports.ts"
import { withNames } from "../domain/auth/audit-entries.ts"
import { usernameKey } from "../domain/people/fields.ts"
import { usernamesOf, withApp } from "./support/app.ts"
import { limitOf, option } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { isoTime, json, table } from "./support/terminal.ts"

const columns = ["time", "who", "action", "whom", "way", "from", "detail"] as const

/** Prints the audit log, newest entry last. */
export const audit = command({
  name: "audit",
  description: "Print the audit log",
  example: "rewards audit --action login_failed --since 7d",
  args: {
    user: option("NAME", "Only entries of this user or about this user"),
    action: option(auditActions.join("|"), "Only this action"),
    since: option("WHEN", "Only since this date, such as 2026-01-31, or this long ago, such as 30m, 12h or 7d"),
    limit: { ...option("COUNT", "Only this many of the newest entries"), default: "100" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ user, action, since, limit, ...args }, context) {
    const query = {
      action: actionOf(action),
      since: since === undefined ? undefined : timeOf(since, context.now()),
      limit: limitOf(limit),
    }
    const records = await withApp(context, args, async ({ store }) => {
      const [name] = user === undefined ? [] : await usernamesOf(store, [usernameKey(user)])
      return withNames(store.users, await store.audit.list({ ...query, user: name }))
    })
    await context.print(args.json ? json(records.map(shown)) : table(columns, records.map(row)))
  },
})

/** Undefined only when the option is absent, because `parseArguments` accepts no other values. */
const actionOf = (text: string | undefined): AuditAction | undefined => auditActions.find((action) => action === text)

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 }

/** Dates and times are in UTC, like those in the output. */
function timeOf(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (unitsMs[unit] ?? 0)
  const [, date = "", time = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{3})?)?)Z?)?$/.exec(text) ?? []
  const at = Date.parse(`${date}T${time}Z`)
  // Date.parse accepts 31 February and returns a day of March.
  if (Number.isNaN(at) || !isoTime(at).startsWith(date))
    throw new UsageError("option --since: a date such as 2026-01-31 or 2026-01-31T09:00, or 30m, 12h, 7d")
  return at
}

const shown = ({ at, who, action, whom, way, address, count, detail, before, after }: AuditRecord) => ({
  time: isoTime(at),
  who,
  action,
  whom,
  way,
  from: address,
  count,
  detail,
  before_values: before,
  after_values: after,
})

function row(record: AuditRecord): string[] {
  const { time, who, action, whom, way, from, count, detail } = shown(record)
  const notes = [
    ...(count === 1 ? [] : [`${count} times`]),
    ...(detail === null || isSaidByValues(record) ? [] : [detail]),
    ...(saysValues.includes(record.action) ? [] : changesIn(record)),
  ]
  return [time, who ?? "", action, whom ?? "", way, from ?? "", notes.join(", ")]
}

/** Actions whose detail has all old and new values. */
const saysValues: readonly AuditAction[] = [
  "programme_changed",
  "user_renamed",
  "dept_changed",
  "dept_renamed",
  "duties_changed",
  "manager_changed",
  "user_deactivated",
]

/** The detail of a changed profile only names the values. Entries of earlier versions have no values. */
const isSaidByValues = ({ action, after }: AuditRecord): boolean => action === "profile_changed" && after !== null

/** Each value that changed, such as `cost: 400 -> 5`. Of a thing that is new or gone, nothing besides the detail. */
function changesIn({ before, after }: AuditRecord): string[] {
  if (before === null || after === null) return []
  return Object.entries(after).map(
    ([name, value]) => `${name}: ${JSON.stringify(before[name])} -> ${JSON.stringify(value)}`,
  )
}
