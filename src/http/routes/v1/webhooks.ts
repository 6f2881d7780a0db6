import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import {
  type Delivery,
  deliveryStates,
  eventTypes,
  type Webhook,
  webhookFormats,
} from "../../../domain/webhooks/model.ts"
import { keptDeliveries, maxWebhookDescription, maxWebhookUrl } from "../../../domain/webhooks/webhooks.ts"
import { utc, utcOrNull } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { bodyErrors, idempotentOperation, operation } from "../../openapi-operations.ts"
import { keyedRequestOf } from "../../request.ts"
import {
  byId,
  Id,
  nullableText,
  numberOf,
  oneOf,
  openObject,
  ProtectedQuery,
  protectedQuery,
  text,
} from "../../schemas.ts"
import { date, dateOrNull, pageOf, pageParameters, pageView } from "./common-fields.ts"

/** Webhooks and their deliveries, for superusers. */
export function webhookRoutes({ app: { webhooks }, guards }: Dependencies<"webhooks">) {
  return new Elysia()
    .use(guards)
    .get("/api/v1/webhooks", async () => ({ items: (await webhooks.list()).map(webhookView) }), {
      superuser: "read",
      query: ProtectedQuery,
      detail: operation("Webhooks", "List the webhooks (superusers)", 200, "WebhookList"),
    })
    .post(
      "/api/v1/webhooks",
      async ({ caller, actor, body, request, status }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return status(201, createdView(await webhooks.add(actor, body, keyed)))
      },
      {
        superuser: "admin",
        query: ProtectedQuery,
        body: NewWebhookRequest,
        detail: idempotentOperation(
          "Webhooks",
          "Add a webhook; its secret is shown once (superusers)",
          201,
          "NewWebhook",
        ),
      },
    )
    .get("/api/v1/webhooks/:id", ({ webhook }) => webhookView(webhook), {
      toWebhook: "read",
      ...byId,
      detail: operation("Webhooks", "Show a webhook (superusers)", 200, "Webhook"),
    })
    .patch(
      "/api/v1/webhooks/:id",
      async ({ actor, webhook, body }) => webhookView(await webhooks.change(actor, webhook, body)),
      {
        toWebhook: "admin",
        ...byId,
        body: WebhookChangeRequest,
        detail: operation("Webhooks", "Change the given fields; retries at once (superusers)", 200, "Webhook"),
      },
    )
    .delete(
      "/api/v1/webhooks/:id",
      async ({ actor, webhook }) => {
        await webhooks.remove(actor, webhook)
        return { status: "removed" }
      },
      {
        toWebhook: "admin",
        ...byId,
        detail: operation("Webhooks", "Remove a webhook with its deliveries (superusers)", 200, "Status"),
      },
    )
    .post(
      "/api/v1/webhooks/:id/secret",
      async ({ caller, actor, webhook, request, status }) => {
        const keyed = keyedRequestOf(request, caller)
        return status(201, createdView(await webhooks.rotate(actor, webhook, keyed)))
      },
      {
        toWebhook: "admin",
        ...byId,
        detail: idempotentOperation(
          "Webhooks",
          "Make a new secret, shown once; the old one signs too for 24 hours (superusers)",
          201,
          "NewWebhook",
          [...bodyErrors],
        ),
      },
    )
    .post(
      "/api/v1/webhooks/:id/test",
      async ({ webhook, status }) => status(201, deliveryView(await webhooks.test(webhook))),
      {
        toWebhook: "admin",
        ...byId,
        detail: operation("Webhooks", "Send a test now and say how it ended (superusers)", 201, "Delivery", [
          ...bodyErrors,
        ]),
      },
    )
    .get(
      "/api/v1/webhooks/:id/deliveries",
      async ({ webhook, query }) => {
        const { before, size, state } = query
        const page = await webhooks.deliveries(webhook, { state, before: numberOf(before), size: numberOf(size) })
        return pageView(page, deliveryView)
      },
      {
        toWebhook: "read",
        params: Id,
        query: DeliveriesQuery,
        detail: operation(
          "Webhooks",
          `List the deliveries that wait and the last ${keptDeliveries} finished ones, newest first (superusers)`,
          200,
          "DeliveryPage",
        ),
      },
    )
    .post(
      "/api/v1/webhooks/:id/replay",
      async ({ caller, actor, webhook, body, request }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return webhookView(await webhooks.replaySince(actor, webhook, body.since, keyed))
      },
      {
        toWebhook: "admin",
        ...byId,
        body: openObject({ since: date("a time with its zone") }),
        detail: idempotentOperation("Webhooks", "Send all events since a time again (superusers)", 200, "Webhook"),
      },
    )
    .post(
      "/api/v1/deliveries/:id/replay",
      async ({ caller, actor, delivery, request, status }) => {
        const keyed = keyedRequestOf(request, caller)
        return status(201, deliveryView(await webhooks.replay(actor, delivery, keyed)))
      },
      {
        toDelivery: "admin",
        ...byId,
        detail: idempotentOperation("Webhooks", "Send the event of a delivery again (superusers)", 201, "Delivery", [
          "not_replayable",
          ...bodyErrors,
        ]),
      },
    )
    .post(
      "/api/v1/deliveries/:id/skip",
      async ({ actor, delivery }) => deliveryView(await webhooks.skip(actor, delivery)),
      {
        toDelivery: "admin",
        ...byId,
        detail: operation(
          "Webhooks",
          "Give up a delivery that waits; those behind it are due at once (superusers)",
          200,
          "Delivery",
          ["not_waiting", ...bodyErrors],
        ),
      },
    )
}

const DeliveriesQuery = protectedQuery({
  state: Type.Optional(oneOf(deliveryStates)),
  ...pageParameters,
})

const given = {
  url: text(`https, at most ${maxWebhookUrl} characters`),
  events: Type.Array(oneOf(eventTypes, "a type"), { description: `some of ${eventTypes.join(", ")}; empty for all` }),
  format: oneOf(webhookFormats, "all but the first get only recognitions, as chat messages", "standard"),
  description: nullableText(`at most ${maxWebhookDescription} characters`),
  active: Type.Boolean(),
}

const WebhookChangeRequest = Type.Partial(openObject(given))
const NewWebhookRequest = openObject({ ...Type.Partial(Type.Object(given)).properties, url: given.url })

const webhook = {
  id: Type.Integer(),
  ...given,
  failing_since: dateOrNull("the first attempt that failed since the last success; null when it does not fail"),
  retry_at: dateOrNull("when it is tried again; null when it does not fail or is not active"),
  last_success_at: dateOrNull("the last delivery that succeeded"),
  stopped_because: nullableText("why the server deactivated it"),
}

const delivery = {
  id: Type.Integer(),
  webhook: Type.Integer({ description: "id of the webhook" }),
  event: Type.Union([Type.Integer(), Type.Null()], { description: "id of the event; null for a test" }),
  state: Type.Union(deliveryStates.map((state) => Type.Literal(state))),
  attempts: Type.Integer(),
  created_at: date("when it was first attempted, or asked for"),
  attempted_at: dateOrNull("the last attempt"),
  duration_ms: Type.Union([Type.Integer(), Type.Null()], { description: "how long it took" }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: "HTTP status of the answer" }),
  response: nullableText("the beginning of the answer, at most 4 KiB"),
  error: nullableText("what went wrong"),
}

export const webhookComponents = {
  Webhook: Type.Object(webhook),
  WebhookList: Type.Object({ items: Type.Array(Type.Ref("Webhook")) }),
  NewWebhook: Type.Object({
    ...webhook,
    secret: Type.String({ description: "signs the deliveries (Standard Webhooks)", examples: ["whsec_…"] }),
  }),
  Delivery: Type.Object(delivery),
  DeliveryPage: pageOf("Delivery"),
}

const webhookView = ({ id, url, events, format, isActive, description, ...rest }: Webhook): Static<WebhookType> => ({
  id,
  url,
  events: [...events],
  format,
  active: isActive,
  description,
  failing_since: utcOrNull(rest.failingSince),
  retry_at: isActive && rest.failures > 0 ? utc(rest.retryAt) : null,
  last_success_at: utcOrNull(rest.lastSuccessAt),
  stopped_because: rest.stoppedBecause,
})

type WebhookType = (typeof webhookComponents)["Webhook"]

const createdView = ({ webhook, secret }: { readonly webhook: Webhook; readonly secret: string }) => ({
  ...webhookView(webhook),
  secret,
})

const deliveryView = ({ id, webhookId, eventId, state, attempts, createdAt, attempt }: Delivery) => ({
  id,
  webhook: webhookId,
  event: eventId,
  state,
  attempts,
  created_at: utc(createdAt),
  attempted_at: utcOrNull(attempt?.attemptedAt ?? null),
  duration_ms: attempt?.durationMs ?? null,
  status: attempt?.status ?? null,
  response: attempt?.response ?? null,
  error: attempt?.error ?? null,
})
