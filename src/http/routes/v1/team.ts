import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxTeam, type TeamMember, teamDays, teamDepths } from "../../../domain/recognition/team.ts"
import { inSlices, jsonList } from "../../../formats/json-lists.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { nullableText, oneOf, protectedQuery } from "../../schemas.ts"
import { face, manager, managerView } from "./common-fields.ts"

/** What managers see of those who report to them. Everybody may ask; whoever has no team gets an empty list. */
export const teamRoutes = ({ app: { teams }, guards }: Dependencies<"teams">) =>
  new Elysia().use(guards).get(
    "/api/v1/team",
    async ({ request: { signal }, caller: { user }, query: { depth }, set }) => {
      set.headers["content-type"] = "application/json;charset=utf-8"
      return viewed(await teams.of(user, { depth, signal }))
    },
    {
      authenticated: "read",
      query: TeamQuery,
      detail: operation("Team", "Show the recognition of those who report to you", 200, "Team"),
    },
  )

const TeamQuery = protectedQuery({
  depth: Type.Optional(oneOf(teamDepths, "those who report to you, or `all` below you too", "direct")),
})

const inDays = `within the last ${teamDays} days`
const pointsOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} ${inDays}; null where amounts are hidden` })
const dayOrNull = (description: string) =>
  Type.Union([Type.String({ examples: ["2026-09-30"] }), Type.Null()], { description })

const Team = Type.Object({
  items: Type.Array(
    Type.Object({
      username: face.username,
      name: face.name,
      dept: face.dept,
      joined: dayOrNull("the first day at work"),
      received: pointsOrNull("points received as recognition"),
      given: pointsOrNull("points given as recognition"),
      last_thanked: dayOrNull("the day on which somebody thanked this person last; null: never"),
      last_gave: dayOrNull("the day on which this person thanked somebody last; null: never"),
      ...manager,
      received_count: Type.Integer({ description: `how often somebody thanked this person ${inDays}` }),
      given_count: Type.Integer({ description: `how often this person thanked somebody ${inDays}` }),
      avatar: nullableText("address of an image, or a path of this server"),
    }),
    {
      description: `those who were never thanked first, then those who were thanked longest ago; at most ${maxTeam}, nearest first`,
    },
  ),
})

export const teamComponents = { Team }

const memberView = ({ received, given, ...member }: TeamMember): Static<typeof Team>["items"][number] => ({
  username: member.username,
  name: member.name,
  dept: member.dept,
  joined: member.joined,
  received: received.points,
  given: given.points,
  last_thanked: member.lastThanked,
  last_gave: member.lastGave,
  ...managerView(member.manager),
  received_count: received.count,
  given_count: given.count,
  avatar: member.avatar,
})

/** Written in slices, since there may be thousands of people. Typed as the object that clients read. */
async function viewed(team: readonly TeamMember[]): Promise<Static<typeof Team>> {
  const parts = [Buffer.from('{"items":'), await jsonList(inSlices(team), memberView), Buffer.from("}")]
  return Buffer.concat(parts) as unknown as Static<typeof Team>
}
