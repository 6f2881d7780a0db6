import type { App } from "../app/app.ts"
import { DomainError } from "../domain/errors.ts"
import { eventTypes, type Webhook, webhookFormats } from "../domain/webhooks/model.ts"
import { type Operator, withApp, withOperator } from "./support/app.ts"
import { argument, idArg, listOption, option, partsOf } from "./support/arguments.ts"
import { type CommandContext, command, configWithSecret, type FileArgs, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"
import { isoTime, json, table, visible } from "./support/terminal.ts"

const which = { id: idArg("a webhook") } as const

export const webhookAdd = command({
  name: "webhook add",
  description: "Send events to an address; prints the secret that signs them, once",
  example: "rewards webhook add https://hooks.example.com/rewards --event transaction.created",
  args: {
    url: argument("Where to send: an https address"),
    event: listOption("TYPES", `Only these, separated by commas; may be repeated. Types: ${eventTypes.join(", ")}`),
    format: {
      ...option(
        webhookFormats.join("|"),
        "standard sends every event as signed JSON, the others send recognitions as chat messages",
      ),
      default: "standard",
    },
    description: option("TEXT", "What it is for"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ url, event, format, description, ...args }, context) {
    const request = { url, events: partsOf(event), format, ...(description !== undefined && { description }) }
    const { webhook, secret } = await act(context, args, ({ webhooks }, by) => webhooks.add(by, request))
    const signs = webhook.format === "standard" ? `Its secret, shown only now: ${secret}` : "It needs no secret."
    await context.print(args.json ? json({ ...shown(webhook), secret }) : `${named(webhook)} added. ${signs}`)
  },
})

const columns = ["id", "format", "url", "events", "state", "last_success"] as const

export const webhookList = command({
  name: "webhook list",
  description: "List the webhooks and their state",
  example: "rewards webhook list",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const items = (await withApp(context, args, ({ webhooks }) => webhooks.list())).map(shown)
    const rows = items.map(({ id, format, url, events, state, last_success }) => [
      `${id}`,
      format,
      visible(url),
      events.length === 0 ? "all" : events.join(", "),
      state,
      last_success ?? "never",
    ])
    await context.print(args.json ? json(items) : table(columns, rows))
  },
})

export const webhookTest = command({
  name: "webhook test",
  description: "Send a test to a webhook now and print the result",
  example: "rewards webhook test 1",
  args: { ...which, ...fileArgs },
  async run({ id, ...args }, context) {
    const { attempt } = await act(context, args, async (app) => app.webhooks.test(await webhookWith(app, id)))
    if (attempt === null || attempt.error !== null) throw new Refusal(visible(attempt?.error ?? "it was not sent"))
    await context.print(`Delivered in ${attempt.durationMs} ms: the receiver answered ${attempt.status}`)
  },
})

export const webhookSkip = command({
  name: "webhook skip",
  description: "Skip the event that blocks the others of a webhook",
  example: "rewards webhook skip 1",
  args: { ...which, ...fileArgs },
  async run({ id, ...args }, context) {
    const { eventId } = await act(context, args, async ({ store, webhooks }, by) =>
      webhooks.skip(by, await webhooks.oldestWaiting(await webhookWith({ store }, id))),
    )
    await context.print(`Event ${eventId} skipped; the next one is due`)
  },
})

export const webhookRemove = command({
  name: "webhook remove",
  description: "Remove a webhook with its deliveries",
  example: "rewards webhook remove 1",
  args: { ...which, ...fileArgs },
  async run({ id, ...args }, context) {
    const webhook = await act(context, args, async (app, by) => {
      const found = await webhookWith(app, id)
      await app.webhooks.remove(by, found)
      return found
    })
    await context.print(`${named(webhook)} removed`)
  },
})

/** Secrets are encrypted with a key derived from `security.secret_key`, so the command must have the server's. */
function act<T>(context: CommandContext, args: FileArgs, work: (app: App, by: Operator) => Promise<T>): Promise<T> {
  configWithSecret(context, args)
  return withOperator(context, args, work)
}

async function webhookWith({ store }: Pick<App, "store">, id: string): Promise<Webhook> {
  const webhook = await store.webhooks.find(Number(id))
  if (!webhook) throw new DomainError("webhook_not_found")
  return webhook
}

const named = ({ id, url }: Webhook): string => `Webhook ${id} (${visible(url)}):`

function stateOf({ isActive, stoppedBecause, failingSince }: Webhook): string {
  if (!isActive) return stoppedBecause === null ? "inactive" : `deactivated: ${stoppedBecause}`
  return failingSince === null ? "active" : `failing since ${isoTime(failingSince)}`
}

const shown = (webhook: Webhook) => ({
  id: webhook.id,
  format: webhook.format,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  active: webhook.isActive,
  state: stateOf(webhook),
  last_success: webhook.lastSuccessAt === null ? null : isoTime(webhook.lastSuccessAt),
})
