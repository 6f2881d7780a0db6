import { Type } from "@sinclair/typebox"
import { invalid } from "../../domain/errors.ts"
import type { PeopleCursor } from "../../domain/model.ts"
import { periods } from "../../domain/model.ts"
import { maxLengths } from "../../domain/people/fields.ts"
import { defaultPeople, maxPeople } from "../../domain/people/people-search.ts"
import { defaultLeaders, maxLeaders, sides } from "../../domain/recognition/leaderboard.ts"
import { defaultDays, maxDays } from "../../domain/recognition/statistics.ts"
import { fresh, nullableText, oneOf, open, sizeUpTo, text } from "../schemas.ts"

export const PeopleQuery = Type.Object(
  {
    ...fresh,
    q: Type.Optional(text("any part of name or user name, without regard to case and accents")),
    department: Type.Optional(text("only of this department")),
    after: Type.Optional(text("`next` of the page before")),
    size: Type.Optional(sizeUpTo(maxPeople, defaultPeople)),
  },
  open,
)

const wordOf = (words: readonly string[], byDefault: string) =>
  oneOf(words, `one of ${words.join(", ")}; by default ${byDefault}`, byDefault)

export const LeaderQuery = Type.Object(
  {
    ...fresh,
    period: Type.Optional(wordOf(periods, "month")),
    by: Type.Optional(wordOf(sides, "received")),
    size: Type.Optional(sizeUpTo(maxLeaders, defaultLeaders)),
  },
  open,
)
export const StatsQuery = Type.Object(
  {
    ...fresh,
    days: Type.Optional(sizeUpTo(maxDays, defaultDays)),
    scope: Type.Optional(oneOf(["own", "all"], "own or all; by default all for superusers, who alone may ask for it")),
    username: Type.Optional(text("the days of this user (oneself, superusers); scope is then own by default")),
  },
  open,
)

export const MeRequest = Type.Object(
  {
    name: Type.Optional(text(`1 to ${maxLengths.name} characters`)),
    bio: Type.Optional(nullableText(`at most ${maxLengths.bio} characters`)),
    avatar: Type.Optional(nullableText("http or https address of an image, or a path of this server's own")),
  },
  open,
)
export const PictureHash = Type.Object({ hash: Type.String() })
export const DeptRequest = Type.Object({ dept: text("the new department; `management` makes a superuser") }, open)

export const SessionHandle = Type.Object({ session: Type.String() })

/** What `after` of a page of people stands for. @throws DomainError `invalid` */
export function placeOf(after: string | undefined): PeopleCursor | undefined {
  if (after === undefined) return undefined
  const [, group, id, key = ""] = /^([01])([0-9]{1,16})\.([A-Za-z0-9_-]*)$/.exec(after) ?? []
  if (group === undefined) throw invalid("after", "`next` of the page before")
  return { isOther: group === "1", key: Buffer.from(key, "base64url").toString(), id: Number(id) }
}
