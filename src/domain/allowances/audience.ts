import { invalid, usersNotFound } from "../errors.ts"
import { maxReceivers } from "../ledger/grants.ts"
import { checkedDept, usernameKey } from "../people/fields.ts"
import { takesPart } from "../people/model.ts"
import type { UserStore } from "../people/ports.ts"
import { inTimeSlices } from "../ticks.ts"
import type { AudienceRequest } from "./allowance-fields.ts"
import type { Allowance, Audience } from "./model.ts"

type Users = Pick<UserStore, "byUsername" | "inDept">

/** The error detail for an allowance without a valid audience. */
export const oneAudience = "one of everyone (true), dept and usernames"

/** The fault of a stored audience that is damaged. */
export const noAudience = "an audience that is none"

/**
 * The audience that a request asks for. People and the department of the audience `before` may stay in it, even if
 * they have left or nobody is in the department any more.
 */
export async function audienceOf(
  users: Users,
  { everyone, dept, usernames }: AudienceRequest,
  before?: Allowance["audience"],
): Promise<Audience> {
  const given = [everyone, dept, usernames].filter((one) => one !== undefined)
  if (given.length !== 1 || everyone === false) throw invalid("audience", oneAudience)
  if (dept !== undefined) return before && "dept" in before && before.dept === dept ? before : deptOf(users, dept)
  if (usernames !== undefined)
    return { userIds: await idsOf(users, usernames, new Set(before && "userIds" in before ? before.userIds : [])) }
  return { everyone: true }
}

async function deptOf(users: Users, dept: string): Promise<Audience> {
  checkedDept(dept)
  if ((await users.inDept(dept, 1)).length === 0) throw invalid("audience", "nobody is in this department")
  return { dept }
}

/** `known` are the ids of people who are accepted even if they have left. */
async function idsOf(users: Users, usernames: readonly string[], known: ReadonlySet<number>): Promise<number[]> {
  if (usernames.length === 0 || usernames.length > maxReceivers)
    throw invalid("audience", `1 to ${maxReceivers} usernames`)
  const ids = new Set<number>()
  const unknown = new Set<string>()
  for await (const username of inTimeSlices(usernames)) {
    const user = await users.byUsername(usernameKey(username))
    if (user && (known.has(user.id) || takesPart(user))) ids.add(user.id)
    else unknown.add(username)
  }
  if (unknown.size > 0) throw usersNotFound("audience", unknown)
  return [...ids].sort((one, other) => one - other)
}
