import type { RequiredScope } from "../../src/domain/auth/access.ts"
import { tokenScopes } from "../../src/domain/auth/model.ts"
import type { Duty } from "../../src/domain/people/model.ts"
import type { NamedGuard } from "../../src/http/guards.ts"
import type { Asked, Endpoint, Target, Who } from "./endpoint.ts"

/** What a credential is worth, whatever the endpoint. */
interface Standing {
  /** Whose it is; null: it is not valid. */
  readonly who: Who | null
  /** A cookie of no session: refused although a good token comes with it. */
  readonly isBadSession?: true
  /** A cookie in a request from a page of another site. */
  readonly isForeign?: true
  /** The scope of an API token. */
  readonly scope?: "read" | "give" | "admin"
}

const standings: Readonly<Record<string, Standing>> = {
  none: { who: null },
  access: { who: "ana" },
  stale: { who: null },
  refresh: { who: null },
  reset: { who: null },
  expired: { who: null },
  forged: { who: null },
  unsigned: { who: null },
  ended: { who: null },
  cookie: { who: "ana" },
  "c.foreign": { who: "ana", isForeign: true },
  "c.unknown": { who: null, isBadSession: true },
  "c.expired": { who: null, isBadSession: true },
  "c.ended": { who: null, isBadSession: true },
  "another's": { who: "bruno" },
  super: { who: "admin" },
  "s.cookie": { who: "admin" },
  "s.foreign": { who: "admin", isForeign: true },
  "t.read": { who: "ana", scope: "read" },
  "t.give": { who: "ana", scope: "give" },
  "t.admin": { who: "ana", scope: "give" }, // counts as that since she is no superuser any more
  "s.t.read": { who: "admin", scope: "read" },
  "s.t.give": { who: "admin", scope: "give" },
  "s.t.admin": { who: "admin", scope: "admin" },
  service: { who: "ana", scope: "give" },
}

interface Case {
  readonly target: Target
  readonly credential: string
  readonly done: string
  /** Ana's; absent: she has none. */
  readonly duties?: readonly Duty[]
}

/**
 * The word that the guard of an endpoint promises for a credential. A route without a guard admits everybody.
 *
 * | Word | Answer                                                                            |
 * | 2xx  | done, and the database shows it; an endpoint may have a word of its own           |
 * | 401  | `Could not validate credentials` with a challenge; at a login: `Incorrect ...`    |
 * | 401s | `Invalid Session ID`                                                              |
 * | 403  | the refusal of the guard's role, such as `Not a super user`                       |
 * | 403t | `This token may not do that`                                                      |
 * | 403o | the refusal of a foreign origin                                                   |
 * | 404  | `User not found`                                                                  |
 */
export function expectedWord(
  name: string,
  { access = "open", admitsForeign, isBeforeGuard, word }: Endpoint,
  guard: NamedGuard | undefined,
  { target, credential, done, duties: given = [] }: Case,
): string {
  const standing = standings[credential]
  if (!standing) throw new Error(`unknown: ${credential}`)
  const { who, isBadSession, isForeign, scope } = standing
  if (isForeign && !admitsForeign && isRefusedToOtherSites(name)) return "403o"

  const duties = who === "ana" && (scope === undefined || scope === "read") ? given : []
  const asked: Asked = { who, target, duties, credential }
  const success = typeof word === "function" ? word(asked) : (word ?? done)
  const row = guard?.row
  if (!guard || !row || isBeforeGuard || (row.caller === "watcher" && access === "open")) return success

  const isKnown = !row.caller.startsWith("anyone")
  if (isKnown && isBadSession) return "401s"
  if (isKnown && who === null) return "401"
  if (scope !== undefined && !covers(scope, guard.scope)) return "403t"
  if (row.caller === "apiToken" && scope === undefined) return "401"
  if (row.about?.by === "username" && target === "unknown") return "404"
  const isSelf = who === "ana" && target === "self"
  const isOpened = row.duties?.some((duty) => duties.includes(duty)) === true
  if (row.role !== undefined && who !== "admin" && !isOpened && (row.role === "superuser" || !isSelf)) return "403"
  // What the duty `people` does not reach.
  if (row.about?.isOpenTo && isOpened && (isSelf || target === "super")) return "403"
  return success
}

/** Whatever changes something, opens a stream or downloads a file. */
const isRefusedToOtherSites = (name: string): boolean => !name.startsWith("GET ") || /\.(csv|png)\b/.test(name)

const covers = (scope: "read" | "give" | "admin", required: RequiredScope): boolean =>
  required !== "nobody" && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(required)
