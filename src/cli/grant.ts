import type { App } from "../app.ts"
import { DomainError } from "../domain/errors.ts"
import type { Grant, GrantRequest } from "../domain/ledger/grants.ts"
import { adminUsername } from "../domain/people/users.ts"
import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { repeats } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal, UsageError } from "./support/failures.ts"
import { counted, json, visible } from "./support/output.ts"

/** Sends the same number of points from `admin` to many users, all or nothing. */
export const grant = command({
  name: "grant",
  description: "Send points from admin to many users, all or nothing",
  example: `rewards grant 50 --to ana-souza,bruno-lima --dept support --reason "A quiet Christmas"`,
  args: {
    value: { type: "positional", required: true, description: "Points for each of them" },
    to: { ...repeats, valueHint: "NAMES", description: "User names, separated by commas; may be repeated" },
    dept: {
      ...repeats,
      valueHint: "NAME",
      description: "Everybody of this department, except admin; may be repeated",
    },
    reason: { type: "string", valueHint: "TEXT", description: "Reason, stored with each transaction" },
    tags: { ...repeats, valueHint: "TAGS", description: "Tags, separated by commas; may be repeated" },
    private: { type: "boolean", description: "Show the reason only to sender and receiver" },
    "dry-run": { type: "boolean", description: "Print who would get points, and change nothing" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ value, to, dept, reason, tags, private: isPrivate, ...args }, context) {
    if (!/^-?\d+$/.test(value)) throw new UsageError("VALUE must be an integer")
    if (to.length + dept.length === 0) throw new UsageError("name the receivers with --to or --dept")
    const note = { reason, tags: tags.length === 0 ? undefined : tags.flatMap(partsOf), private: isPrivate }
    const operator = operatorOf(context)
    const request = { value: Number(value), usernames: to.flatMap(partsOf), depts: dept, note, operator }
    const isDry = args["dry-run"] === true
    const done = await withApp(context, args, (app) => sendGrant(app, request, isDry))
    await context.print(args.json ? json(shown(done)) : sentence(done, isDry))
  },
})

async function sendGrant({ grants, store }: App, request: GrantRequest, isDry: boolean): Promise<Grant> {
  const giver = await userNamed(store, adminUsername)
  if (!isDry) return grants.give(giver, request).catch(explained)
  const preview = await grants.preview(giver, request)
  if (preview.refusals.length > 0) throw new Refusal(preview.refusals.map(visible).join("\n"))
  return preview
}

/** The message may contain names as they were typed. */
function explained(error: unknown): never {
  throw error instanceof DomainError ? new Refusal(visible(error.message)) : error
}

const shown = ({ receivers, value, total, left }: Grant) => ({
  receivers: receivers.map(({ username }) => username),
  value,
  total,
  left,
})

const sentence = ({ receivers, value, total, left }: Grant, isDry: boolean): string =>
  [
    ...receivers.map(({ username }) => `${visible(username)}: ${value}`),
    `${isDry ? "would be given" : "given"}: ${total} to ${counted(receivers.length, "user")}; ${adminUsername} ${
      isDry ? "would have" : "has"
    } ${left} left`,
  ].join("\n")

const partsOf = (list: string): string[] =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
