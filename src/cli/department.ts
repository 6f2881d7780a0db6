import type { Rename } from "../domain/people/departments.ts"
import { operatorOf, withApp } from "./support/app.ts"
import { argument, flag } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { counted, json, table, visible } from "./support/terminal.ts"

export const departmentList = command({
  name: "department list",
  description: "List the departments with the number of people in each",
  example: "rewards department list",
  args: {
    all: flag("Also count inactive accounts"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ all, ...args }, context) {
    const found = await withApp(context, args, ({ departments }) => departments.list(all ? null : true))
    const rows = found.map(({ name, people }) => [name, String(people)])
    await context.print(args.json ? json(found) : table(["name", "people"], rows))
  },
})

/** Renames a department, or merges it into the one that already has the new name. */
export const departmentRename = command({
  name: "department rename",
  description: "Rename a department, or merge it into another one",
  example: "rewards department rename Marketing Growth",
  args: {
    old: argument("The department"),
    new: argument("Its new name"),
    merge: flag("Join the department that has the new name; this cannot be undone"),
    "dry-run": flag("Print what would happen, and change nothing"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ old, new: name, merge, ...args }, context) {
    const isDry = args["dry-run"] === true
    const request = { name, merges: merge === true }
    const done = await withApp(context, args, async ({ departments }) => {
      const department = await departments.named(old)
      if (isDry) return departments.preview(operatorOf(context), department, request)
      return departments.rename(operatorOf(context), department, request)
    })
    await context.print(args.json ? json(done) : sentence(old, done, isDry))
    if (isDry && done.joins !== null && !request.merges)
      context.printError(`The department ${visible(done.name)} exists already: only with --merge do both become one`)
  },
})

function sentence(old: string, { name, people, allowances, joins }: Rename, isDry: boolean): string {
  const users = people === 0 ? "Only inactive users" : counted(people, "user")
  const moved = [users, ...(allowances === 0 ? [] : [counted(allowances, "allowance")])].join(" and ")
  const others = joins === null ? "" : `, which had ${counted(joins, "user")}`
  return `${moved} ${isDry ? "would move" : "moved"} from ${visible(old)} to ${visible(name)}${others}`
}
