import type { Access, Caller } from "../domain/auth/access.ts"
import type { ApiTokens } from "../domain/auth/api-tokens.ts"
import type { ErrorCode } from "../domain/errors.ts"
import { allDepartments, deptNamed } from "../domain/people/departments.ts"
import { maintains } from "../domain/people/maintainers.ts"
import type { Department, Duty, User } from "../domain/people/model.ts"
import { hasDuty } from "../domain/people/roles.ts"
import type { ResponseRules } from "../domain/recognition/responses.ts"
import type { Store } from "../domain/store.ts"
import { isId } from "../domain/text.ts"

/** A guard: who calls, what the path names, and who may. guards.ts checks it in this order. */
export interface Guard {
  readonly caller: CallerKind
  readonly about?: About<string, unknown>
  /** Who among the callers; absent: all. `selfOr`: superusers and the person whom the path names; others get this error. */
  readonly role?: "superuser" | { readonly selfOr: ErrorCode }
  /** Whoever has one of these duties is admitted like a superuser. The OpenAPI document says so. */
  readonly duties?: readonly Duty[]
  /** The caller must have logged in within the last 15 minutes: nobody may do this in another person's open browser. */
  readonly isRecent?: true
  /** The body; absent: JSON. Pictures and files are passed on as bytes. */
  readonly body?: "csv" | "picture" | "scim"
}

/**
 * Whose requests a guard admits, before it looks at anything else:
 * - `user`: those with valid credentials. `settingUp`: also those who must set up a second factor first. `apiToken`: only those
 *   with an API token.
 * - `anyone`, `anyoneSettingUp`: everybody. `watcher`: whoever may watch the stream of transactions, which may need no log-in.
 *   Their `caller` may be null.
 */
export type CallerKind = KnownCaller | "anyone" | "anyoneSettingUp" | "watcher"
export type KnownCaller = "apiToken" | "settingUp" | "user"

/** What the path names. */
export interface About<As extends string, Found> {
  /** The name by which handlers know it. */
  readonly as: As
  /** The parameter in the path. */
  readonly by: "id" | "name" | "username"
  /** Null when there is none, or the caller may not know of it. */
  readonly find: (key: string, caller: Caller) => Promise<Found | null>
  /** The same while the caller is still being found: both are one statement on PostgreSQL. */
  readonly findEarly?: (key: string, request: Request) => Promise<Found | null>
  /** What is said when there is none. */
  readonly missing: ErrorCode
  /** The id of the person whom it belongs to, for `selfOr`. */
  ownerId?(found: Found): number
  /** Whether the caller, of those whom the role admits, may do something to it; absent: yes. Otherwise `not_superuser`. */
  isOpenTo?(found: Found, caller: Caller): boolean
}

export interface GuardSources {
  readonly access: Access
  readonly apiTokens: Pick<ApiTokens, "ownOf" | "service">
  readonly responses: Pick<ResponseRules, "findRecognition" | "findReply">
  readonly store: Pick<Store, "allowances" | "jobs" | "ledger" | "people" | "rewards" | "users" | "webhooks">
  /** The setting `directory.access`. */
  readonly directoryAccess: "public" | "auth"
}

/** Every guard but `json`, `form` and `toPassword`. The route names one, and the scope that an API token needs for it. */
export function guardTable({ access, apiTokens, responses, store, directoryAccess }: GuardSources) {
  const person = { as: "target", by: "username", missing: "user_not_found" } as const
  const user: About<"target", User> = {
    ...person,
    find: access.findUser,
    ownerId: ({ id }) => id,
  }
  const known: typeof user = { ...user, find: access.findByAnyName }
  // A request with a key may be sent again after its receiver was renamed.
  const findReceiver = (username: string, { headers }: Request) =>
    access.findReceiver(username, { orFormer: headers.has("idempotency-key") })
  const receiver: About<"target", User> = {
    ...person,
    find: (username) => access.findReceiver(username),
    findEarly: findReceiver,
  }
  const maintained: typeof user = { ...user, isOpenTo: (target, caller) => maintains(caller.user, target) }
  const department: About<"department", Department> = {
    as: "department",
    by: "name",
    find: async (name, caller) => {
      const { people } = store
      return deptNamed(await (hasDuty(caller.user, "programme") ? allDepartments(people) : people.departments()), name)
    },
    missing: "dept_not_found",
  }
  const reward = byId("reward", store.rewards.find, "reward_not_found")
  const offer: typeof reward = {
    ...reward,
    find: async (id, caller) => {
      const found = await reward.find(id, caller)
      return found?.isActive ? found : null
    },
  }
  const transaction = byId("original", store.ledger.entry, "transaction_not_found")
  const allowance = byId("allowance", store.allowances.find, "allowance_not_found")
  const redemption = byId("redemption", store.rewards.redemption, "redemption_not_found")
  const webhook = byId("webhook", store.webhooks.find, "webhook_not_found")
  const mail = byId("mail", store.jobs.mailWith, "mail_not_found")
  const delivery = byId("delivery", store.webhooks.delivery, "delivery_not_found")
  const recognition = byEntryId(
    "recognition",
    (id, { user: viewer }) => responses.findRecognition(viewer, id),
    "recognition_not_found",
  )
  const reply = byId("reply", (id, { user: viewer }) => responses.findReply(viewer, id), "reply_not_found")
  const ownToken = byId(
    "apiToken",
    async (id, { user: owner }) => withId(await apiTokens.ownOf(owner), id),
    "token_not_found",
  )
  const serviceToken = byId("apiToken", async (id) => withId(await apiTokens.service(), id), "token_not_found")

  return {
    anyone: { caller: "anyone" },
    anyoneSettingUp: { caller: "anyoneSettingUp" },
    directory: { caller: directoryAccess === "public" ? "anyone" : "user" },
    watcher: { caller: "watcher" },

    authenticated: { caller: "user" },
    pictureUpload: { caller: "user", body: "picture" },
    settingUp: { caller: "settingUp" },
    settingUpRecently: { caller: "settingUp", isRecent: true },

    superuser: { caller: "user", role: "superuser" },
    provisioner: { caller: "apiToken", role: "superuser", body: "scim" },
    insights: { caller: "user", role: "superuser", duties: ["insights"] },
    rewards: { caller: "user", role: "superuser", duties: ["rewards"] },
    redemptionFile: { caller: "user", role: "superuser", duties: ["rewards", "insights"] },
    people: { caller: "user", role: "superuser", duties: ["people"] },
    programme: { caller: "user", role: "superuser", duties: ["programme"] },
    csvUpload: { caller: "user", role: "superuser", duties: ["people"], body: "csv" },

    toUser: { caller: "user", about: user },
    toKnown: { caller: "user", about: known },
    toReceiver: { caller: "user", about: receiver },
    toProfile: { caller: "user", about: user, role: { selfOr: "not_own_profile" } },
    toData: { caller: "user", about: user, role: { selfOr: "not_own_data" } },
    toHistory: { caller: "user", about: user, role: { selfOr: "not_own_transactions" } },
    toAccount: { caller: "user", about: user, role: "superuser" },
    toMaintained: { caller: "user", about: maintained, role: "superuser", duties: ["people"] },
    toAccountRecently: { caller: "user", about: user, role: "superuser", isRecent: true },
    toDepartment: { caller: "user", about: department, role: "superuser", duties: ["programme"] },

    toRecognition: { caller: "user", about: recognition },
    toReply: { caller: "user", about: reply },
    toAnyReply: { caller: "user", about: reply, role: "superuser" },

    toReversal: { caller: "user", about: transaction, role: "superuser" },
    toAllowance: { caller: "user", about: allowance, role: "superuser", duties: ["programme"] },
    toOffer: { caller: "user", about: offer },
    toReward: { caller: "user", about: reward, role: "superuser", duties: ["rewards"] },
    toRewardPicture: { caller: "user", about: reward, role: "superuser", duties: ["rewards"], body: "picture" },
    toRedemption: { caller: "user", about: redemption, role: "superuser", duties: ["rewards"] },

    toOwnToken: { caller: "user", about: ownToken },
    toServiceToken: { caller: "user", about: serviceToken, role: "superuser" },
    toWebhook: { caller: "user", about: webhook, role: "superuser" },
    toMail: { caller: "user", about: mail, role: "superuser" },
    toDelivery: { caller: "user", about: delivery, role: "superuser" },
  } satisfies Record<string, Guard>
}

type FindById<Found> = (id: number, caller: Caller) => Promise<Found | null>

const byId = <As extends string, Found>(as: As, find: FindById<Found>, missing: ErrorCode): About<As, Found> => ({
  as,
  by: "id",
  find: async (id, caller) => (isId(id) ? await find(Number(id), caller) : null),
  missing,
})

/** The same for entries of the feed: those of occasions have negative ids. */
const byEntryId = <As extends string, Found>(as: As, find: FindById<Found>, missing: ErrorCode): About<As, Found> => ({
  ...byId(as, find, missing),
  find: async (id, caller) => (isId(id.replace(/^-/, "")) ? await find(Number(id), caller) : null),
})

const withId = <T extends { readonly id: number }>(all: readonly T[], id: number): T | null =>
  all.find((one) => one.id === id) ?? null
