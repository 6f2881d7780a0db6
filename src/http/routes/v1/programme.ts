import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxValue } from "../../../domain/points.ts"
import {
  audiencesOfAmounts,
  leaderboardReaders,
  limitPeriods,
  needs,
  type Programme,
  pocketsToGive,
} from "../../../domain/programme/model.ts"
import {
  maxAmounts,
  maxOccasionPoints,
  maxOccasionTextLength,
  maxPointAmount,
  maxPointsNameLength,
  maxReasonLength,
  maxTagDescriptionLength,
  maxTagLength,
  maxTags,
} from "../../../domain/programme/programme-fields.ts"
import { programmeView } from "../../../formats/views/programme.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation, withAnswers } from "../../openapi-operations.ts"
import { nullableText, oneOf, openObject, ProtectedQuery, text } from "../../schemas.ts"

/** What those who run the programme decide. */
export function programmeRoutes({ app: { programme }, guards }: Dependencies<"programme">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/programme",
      async ({ set }) => {
        const now = await programme.current()
        set.headers.etag = tagOf(now)
        return programmeView(now)
      },
      {
        authenticated: "read",
        query: ProtectedQuery,
        detail: withTag(operation("Programme", "Show the programme", 200, "Programme")),
      },
    )
    .patch(
      "/api/v1/programme",
      async ({ body, actor, request: { headers }, set }) => {
        const seen = headers.get("if-match")
        const isAsSeen = (before: Programme) => seen === null || seen === "*" || seen === tagOf(before)
        const after = await programme.change(actor, body, isAsSeen)
        set.headers.etag = tagOf(after)
        return programmeView(after)
      },
      {
        programme: "admin",
        query: ProtectedQuery,
        body: ProgrammeChange,
        detail: {
          ...withTag(
            operation("Programme", "Change the given fields of the programme (superusers)", 200, "Programme", [
              "programme_changed",
            ]),
          ),
          headerParameters: [ifMatch],
        },
      },
    )
}

/** A value that differs as soon as any field does. */
const tagOf = (programme: Programme): string => `"${Bun.hash(JSON.stringify(programmeView(programme))).toString(36)}"`

/** Describes the header of the answer, for the OpenAPI document. */
function withTag<Described extends ReturnType<typeof operation>>(described: Described) {
  const headers = { ETag: { description: "differs as soon as any field does", schema: { type: "string" } } }
  return withAnswers({ success: { ...described.answers.success, headers } }, described)
}

/** Only for the OpenAPI document, as `Idempotency-Key` is. */
const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "the `ETag` of an earlier answer: nothing is changed if somebody else has changed the programme since",
  schema: { type: "string" },
} as const

const number = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

const names = {
  one: text(`1 to ${maxPointsNameLength} characters`),
  many: text(`1 to ${maxPointsNameLength} characters`),
}
export const pointsName = Type.Object(names, { description: "what people call points" })
const amounts = Type.Array(number(1, maxValue, "points"), {
  description: `what the give box offers, 1 to ${maxAmounts} different values`,
})
const tagName = text(`1 to ${maxTagLength} characters without spaces and commas`)
const tagEmoji = nullableText("one emoji")
const tagDescription = nullableText(`at most ${maxTagDescriptionLength} characters`)
const mostPoints = Type.Union([number(1, maxValue, "points"), Type.Null()], {
  description: "null: there is no limit",
})

const pointValue = Type.Union(
  [
    openObject({
      amount: Type.Number({ exclusiveMinimum: 0, maximum: maxPointAmount, description: "with at most six decimals" }),
      currency: Type.String({ pattern: "^[A-Z]{3}$", description: "the code of a currency", examples: ["EUR"] }),
    }),
    Type.Null(),
  ],
  { description: "what a point is worth in money; null: nothing is said" },
)

const words = {
  reason: oneOf(needs, "whether a transfer needs a reason; the contract's endpoint never asks for one"),
  reason_min: number(0, maxReasonLength, "how many characters a reason has at least"),
  tag: oneOf(needs, "whether a transfer needs a tag; the contract's endpoint never asks for one"),
  amounts_shown: oneOf(audiencesOfAmounts, "whether members see everybody's amounts, or only those that concern them"),
  leaderboard: oneOf(leaderboardReaders, "who sees the leaderboards"),
  give_from: oneOf(pocketsToGive, "what members can give: their whole balance, or its giving part"),
}

const occasion = {
  points: number(0, maxOccasionPoints, "points that the person gets; 0: none"),
  text: text(`1 to ${maxOccasionTextLength} characters; \`{name}\` is the person, \`{years}\` an anniversary's number`),
  active: Type.Boolean({ description: "whether it is celebrated" }),
}

const OccasionChange = Type.Optional(Type.Partial(openObject(occasion)))

const ProgrammeChange = Type.Partial(
  openObject({
    points_name: Type.Partial(openObject(names)),
    amounts,
    tags: Type.Array(
      openObject({ name: tagName, emoji: Type.Optional(tagEmoji), description: Type.Optional(tagDescription) }),
      { description: `at most ${maxTags}` },
    ),
    most_to_one: Type.Partial(
      openObject({ points: mostPoints, period: oneOf(limitPeriods, "period of the calendar") }),
    ),
    ...words,
    occasions: openObject({ birthday: OccasionChange, anniversary: OccasionChange, first_day: OccasionChange }),
    point_value: pointValue,
  }),
)

const occasionAnswer = Type.Object(occasion)

export const programmeComponents = {
  Programme: Type.Object({
    points_name: pointsName,
    amounts,
    ...words,
    tags: Type.Array(Type.Object({ name: tagName, emoji: tagEmoji, description: tagDescription }), {
      description: "tags that a transfer may carry",
    }),
    most_to_one: Type.Object(
      { points: mostPoints, period: oneOf(limitPeriods, "period of the calendar") },
      { description: "what one member may give one person within a period" },
    ),
    occasions: Type.Object({ birthday: occasionAnswer, anniversary: occasionAnswer, first_day: occasionAnswer }),
    point_value: pointValue,
  }),
}
