import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { findsLeavers } from "../../../domain/auth/access.ts"
import { invalid } from "../../../domain/errors.ts"
import { usernameKey } from "../../../domain/people/fields.ts"
import { daysShown, isActive, type PeopleCursor, type PeoplePage, type User } from "../../../domain/people/model.ts"
import { defaultPeople, maxPeople } from "../../../domain/people/people-search.ts"
import type { Portrait } from "../../../domain/recognition/portraits.ts"
import type { UserTotals } from "../../../domain/recognition/statistics.ts"
import { utc } from "../../../formats/views/dates.ts"
import { faceView } from "../../../formats/views/people.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation, redirect, showingMore, withAnswers } from "../../openapi-operations.ts"
import { activeFor } from "../../request.ts"
import { ActiveFilter, byUsername, nullableText, numberOf, protectedQuery, sizeUpTo, text } from "../../schemas.ts"
import { date, face, manager, managerView, role, roleOf, shownSum } from "./common-fields.ts"

/** Finding people, for every authenticated caller. */
export function peopleRoutes({
  app: { people, portraits, statistics, teams },
  guards,
}: Dependencies<"people" | "portraits" | "statistics" | "teams">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/people",
      async ({ request: { signal }, caller, query: { after, size, active, ...query } }) =>
        peopleView(
          await people.search({
            ...query,
            active: activeFor(findsLeavers(caller), active),
            after: cursorOf(after),
            size: numberOf(size),
            signal,
          }),
        ),
      {
        authenticated: "read",
        query: PeopleQuery,
        detail: showingMore(
          ["people"],
          "find inactive people with `active`",
          operation("People", "Find people", 200, "PeoplePage"),
        ),
      },
    )
    .get(
      "/api/v1/people/:username",
      async ({ request: { signal, url }, caller, target, params, set, status }) => {
        if (target.username !== usernameKey(params.username)) {
          set.headers.location = `/api/v1/people/${encodeURIComponent(target.username)}${new URL(url).search}`
          return status(308, "")
        }
        return personView(target, {
          totals: await statistics.of(caller.user, target),
          portrait: await portraits.of(caller.user, target, signal),
          reportsTo: await teams.managerOf(target),
        })
      },
      {
        toKnown: "read",
        ...byUsername,
        detail: withAnswers(
          { alternative: redirect(308, "The person has another username since less than a year") },
          operation("People", "Show what a person received and sent", 200, "Person"),
        ),
      },
    )
}

const PeopleQuery = protectedQuery({
  q: Type.Optional(text("any part of name or user name, without regard to case and accents")),
  department: Type.Optional(text("only of this department")),
  ...ActiveFilter,
  after: Type.Optional(text("`next` of the page before")),
  size: Type.Optional(sizeUpTo(maxPeople, defaultPeople)),
})

/** Parses `after`, a position in the list. @throws DomainError `invalid` */
function cursorOf(after: string | undefined): PeopleCursor | undefined {
  if (after === undefined) return undefined
  const [, group, id, key = ""] = /^([01])([0-9]{1,16})\.([A-Za-z0-9_-]*)$/.exec(after) ?? []
  if (group === undefined) throw invalid("after", "`next` of the page before")
  return { isInnerMatch: group === "1", key: Buffer.from(key, "base64url").toString(), id: Number(id) }
}

/** A position in the list as text, for `next`. */
const cursorText = ({ isInnerMatch, key, id }: PeopleCursor): string =>
  `${isInnerMatch ? 1 : 0}${id}.${Buffer.from(key).toString("base64url")}`

const total = Type.Union([Type.Object(shownSum), Type.Null()], { description: "null where it is hidden" })

export const peopleComponents = {
  Face: Type.Object(face),
  PeoplePage: Type.Object({
    items: Type.Array(Type.Ref("Face")),
    next: nullableText("the parameter `after` of the next page; null at the end"),
  }),
  Person: Type.Object({
    ...face,
    bio: nullableText("text"),
    birthday: nullableText("the day of the year, MM-DD; only of somebody who wants to be celebrated"),
    joined: nullableText("the first day at work, YYYY-MM-DD; null of somebody who does not want to be celebrated"),
    role,
    active: Type.Boolean({ description: "false for somebody who left" }),
    received: total,
    sent: total,
    ...manager,
    thanked: Type.Union(
      [
        Type.Object({
          people: Type.Integer({ description: "how many different people thanked" }),
          tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() }), {
            description: "the most frequent first",
          }),
          words: Type.Array(
            Type.Object({
              recognition: Type.Integer({ description: "its id in the feed" }),
              text: Type.String({ description: "the reason; private ones are left out" }),
              username: Type.String({ description: "of the sender" }),
              name: Type.String(),
              avatar: nullableText("address of a picture"),
              date: date("UTC, ISO 8601"),
            }),
            { description: "what was responded to most" },
          ),
        }),
        Type.Null(),
      ],
      { description: "in the last twelve months; null where it is hidden" },
    ),
  }),
}

const peopleView = ({ items, next }: PeoplePage) => ({
  items: items.map(faceView),
  next: next && cursorText(next),
})

interface Shown {
  readonly totals: UserTotals | null
  readonly portrait: Portrait | null
  readonly reportsTo: User | null
}

const personView = (user: User, { totals, portrait, reportsTo }: Shown) => ({
  ...faceView(user),
  bio: user.bio,
  ...daysShown(user),
  role: roleOf(user),
  active: isActive(user),
  received: totals?.received ?? null,
  sent: totals?.sent ?? null,
  ...managerView(reportsTo),
  thanked: portrait && {
    people: portrait.people,
    tags: portrait.tags,
    words: portrait.words.map(({ recognitionId, text, from, date }) => ({
      recognition: recognitionId,
      text,
      username: from.username,
      name: from.name,
      avatar: from.avatar,
      date: utc(date),
    })),
  },
})
