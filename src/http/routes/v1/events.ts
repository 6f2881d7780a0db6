import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { defaultEventLimit, maxEventLimit } from "../../../domain/webhooks/events.ts"
import { type EventType, eventTypes } from "../../../domain/webhooks/model.ts"
import { eventView } from "../../../formats/views/event.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { integer, nullableText, numberOf, protectedQuery, sizeUpTo, text } from "../../schemas.ts"
import { date, points } from "./common-fields.ts"
import { occasionKind, years } from "./feed.ts"
import { rewardComponents } from "./rewards.ts"
import { party, transactionFields } from "./transactions.ts"

/** The events that webhooks deliver, for programs that poll. */
export function eventRoutes({ app: { events }, guards }: Dependencies<"events">) {
  return new Elysia().use(guards).get(
    "/api/v1/events",
    async ({ query: { after, limit, types } }) => {
      const page = await events.page({ after: numberOf(after), limit: numberOf(limit), types })
      const items = page.items.map((event) => ({ id: event.id, ...eventView(event) }))
      return { items, next: String(page.next) }
    },
    {
      superuser: "admin",
      query: EventsQuery,
      detail: operation("Webhooks", "List events, oldest first (superusers)", 200, "EventPage"),
    },
  )
}

const EventsQuery = protectedQuery({
  after: Type.Optional(integer("`next` of the page before, or 0", { minimum: 0 })),
  limit: Type.Optional(sizeUpTo(maxEventLimit, defaultEventLimit)),
  types: Type.Optional(text(`some of ${eventTypes.join(", ")}, separated by commas; by default all`)),
})

const { answered_at: _, ...redemption } = rewardComponents.Redemption.properties

/** `data` of an event, by the first word of its type. */
const data = {
  transaction: Type.Object(transactionFields),
  user: Type.Object({
    id: Type.Integer({ description: "stays when an erasure changes the user name" }),
    username: Type.String(),
    name: Type.String(),
    email: Type.String(),
    dept: Type.String({ description: "department" }),
    active: Type.Boolean(),
  }),
  occasion: Type.Object({
    id: Type.Integer({ description: "of its entry in the feed" }),
    kind: occasionKind,
    years,
    person: party,
    value: Type.Integer({ description: "points; 0 for none" }),
    text: nullableText("what the feed says"),
  }),
  redemption: Type.Object({ ...redemption, cost: points }),
}

/** Of `user.renamed`. */
const renamed = Type.Object({ ...data.user.properties, former: Type.String({ description: "the username before" }) })

const timestamp = date("when it happened")

const payload = (type: EventType) =>
  Type.Object({
    type: Type.Literal(type),
    timestamp,
    data: type === "user.renamed" ? renamed : data[type.split(".")[0] as keyof typeof data],
  })

export const eventComponents = {
  EventPage: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Integer({ description: "the header `webhook-id` of its deliveries" }),
        type: Type.Union(eventTypes.map((type) => Type.Literal(type))),
        timestamp,
        data: Type.Union([data.transaction, data.user, renamed, data.occasion, data.redemption]),
      }),
    ),
    next: Type.String({ description: "the parameter `after` of the next request" }),
  }),
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
})

/** The part `webhooks` of the OpenAPI document: what this server sends. */
export const webhooksDocument = Object.fromEntries(
  eventTypes.map((type) => [
    type,
    {
      post: {
        operationId: type,
        summary: `Sent to the webhooks that ask for ${type}`,
        tags: ["Webhooks"],
        security: [],
        parameters: [
          header("webhook-id", "the id of the event, the same in every attempt"),
          header("webhook-timestamp", "when it was sent, in seconds since 1970"),
          header("webhook-signature", "`v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space"),
        ],
        requestBody: { required: true, content: { "application/json": { schema: payload(type) } } },
        responses: { "2XX": { description: "It was received. Any other answer is retried for three days." } },
      },
    },
  ]),
)
