import { Elysia } from "elysia"
import type { Access, Caller, Credentials, RequiredScope } from "../domain/auth/access.ts"
import type { TokenScope } from "../domain/auth/model.ts"
import { maxImportBytes } from "../domain/people/imports.ts"
import type { ResponseRules } from "../domain/recognition/responses.ts"
import { currentTick } from "../domain/ticks.ts"
import { type BodyKind, type Incoming, readBody } from "./body.ts"
import type { Receive } from "./concurrency-limit.ts"
import { type Arrival, queryOf, wallKeyOf } from "./request.ts"

interface Dependencies {
  readonly access: Access
  readonly responses: Pick<ResponseRules, "toRecognition" | "toReply">
  /** The setting `limits.body_bytes`. */
  readonly maxBodyBytes: number
  /** The setting `directory.access`. */
  readonly directoryAccess: "public" | "auth"
}

interface Guarded extends Pick<Arrival, "credentials"> {
  readonly request: Request
  /** Absent where the path has none. */
  readonly params?: { readonly username?: string; readonly id?: string; readonly name?: string } | undefined
}

/** Kind, greatest length in bytes, and media type. */
type Body = readonly [BodyKind, number, never]

/** Elysia's context, on which a guard leaves its result for the handler. */
interface GuardedContext<T> extends Guarded, Incoming {
  admitted?: T
}

// Elysia never runs these parsers, because they come after one of our own. The OpenAPI document takes the media type of
// a route from them. The casts are needed because Elysia's type allows only functions.
const readsJson = "json" as never
const readsForm = "urlencoded" as never
const readsText = "text" as never

// base.ts sets these for each request.
const unset: { clientAddress: string; credentials: Credentials; receive: Receive } = {
  clientAddress: "",
  receive: (body) => body,
  credentials: { sessionId: null, authorization: null, fresh: false, address: "" },
}

export type Guards = ReturnType<typeof createGuards>

/**
 * A route names one guard. It checks credentials and access (401, 404, 403) before the body is read (413, 415, 400) and
 * before anything is validated (422), and passes its result to the handler. `json` and `form` are for public routes:
 * they only read the body.
 *
 * The value of a guard is the scope that an API token needs for the route, such as `authenticated: "read"`; with
 * `true`, no API token may use the route. Every handler also gets `clientAddress`, the client's IP address, and
 * `credentials`, which are not checked.
 */
export function createGuards({ access, responses, maxBodyBytes, directoryAccess }: Dependencies) {
  /** A guard by the scope that a route names; `true` for none. */
  const scoped =
    <T>(admit: (guarded: Guarded, required: RequiredScope) => Promise<T>, body?: Body) =>
    (scope: TokenScope | true) => {
      const required = scope === true ? "nobody" : scope
      return guard((guarded) => admit(guarded, required), body)
    }

  const callerOf = ({ credentials }: Guarded, required: RequiredScope) => access.caller(credentials, required)

  const toCaller = async (guarded: Guarded, required: RequiredScope) => ({ caller: await callerOf(guarded, required) })

  const toCallerSettingUp = async ({ credentials }: Guarded, required: RequiredScope) => ({
    caller: await access.callerSettingUp(credentials, required),
  })

  const callerTo =
    <T>(admit: (caller: Caller, username: string) => Promise<T>) =>
    async (guarded: Guarded, required: RequiredScope) => {
      const caller = await callerOf(guarded, required)
      return { caller, target: await admit(caller, guarded.params?.username ?? "") }
    }

  /** `admit` finds what the id in the path names, under the name that handlers know it by. */
  const callerToId =
    <T extends object>(admit: (caller: Caller, id: string) => Promise<T>) =>
    async (guarded: Guarded, required: RequiredScope) => {
      const caller = await callerOf(guarded, required)
      return { caller, ...(await admit(caller, guarded.params?.id ?? "")) }
    }

  const toReward = callerToId(async (caller, id) => ({ reward: await access.toReward(caller, id) }))

  return new Elysia({ name: "guards" }).decorate(unset).macro({
    json: {
      parse: [({ request, receive }: Incoming) => readBody({ request, receive }, "json", maxBodyBytes), readsJson],
    },
    form: {
      parse: [({ request, receive }: Incoming) => readBody({ request, receive }, "form", maxBodyBytes), readsForm],
    },
    /** Anyone. `caller` is null without valid credentials. */
    anyone: scoped(async ({ credentials }, required) => ({ caller: await access.callerIfAny(credentials, required) })),
    /** Anyone, or only authenticated callers, depending on the setting `directory.access`. */
    directory: scoped(
      async ({ credentials }, required): Promise<{ readonly caller: Caller | null }> => ({
        caller: await (directoryAccess === "public"
          ? access.callerIfAny(credentials, required)
          : access.caller(credentials, required)),
      }),
    ),
    /** A caller who may watch the stream of transactions. `caller` is null if that needs no log-in. */
    watcher: scoped(async ({ request, credentials }, required) => ({
      caller: await access.watcher(wallKeyOf(request), credentials, required),
    })),
    /** A caller with valid credentials. */
    authenticated: scoped(toCaller),
    /** Like `authenticated`, but also admits somebody who must set up a second factor before anything else. */
    settingUp: scoped(toCallerSettingUp),
    /** Like `settingUp`, but the caller must have logged in within the last 15 minutes. */
    settingUpRecently: scoped(async (guarded, required) => {
      const { caller } = await toCallerSettingUp(guarded, required)
      await access.requireRecentLogin(caller)
      return { caller }
    }),
    /** Anyone. `caller` is that of `settingUp`, or null. */
    anyoneSettingUp: scoped(async ({ credentials }, required) => ({
      caller: await access.callerSettingUpIfAny(credentials, required),
    })),
    /** Like `authenticated`; the body is a picture, passed on as bytes. */
    pictureUpload: scoped(toCaller, ["picture", maxBodyBytes, readsText]),
    superuser: scoped(callerTo(access.requireSuperuser)),
    /** Like `superuser`; the body is a CSV file, passed on as bytes. */
    csvUpload: scoped(callerTo(access.requireSuperuser), ["csv", maxImportBytes, readsText]),
    /** A superuser with an API token: SCIM accepts no other credentials. */
    provisioner: scoped(callerTo(access.toProvisioning), ["scim", maxBodyBytes, readsJson]),
    /** A superuser; `target` is the user in the path. */
    toAccount: scoped(callerTo(access.toAccount)),
    /** Like `toAccount`, but the superuser must have logged in within the last 15 minutes. */
    toAccountRecently: scoped(
      callerTo(async (caller, username) => {
        const target = await access.toAccount(caller, username)
        await access.requireRecentLogin(caller)
        return target
      }),
    ),
    /** A superuser; `original` is the transaction in the path. */
    toReversal: scoped(callerToId(async (caller, id) => ({ original: await access.toReversal(caller, id) }))),
    /** An authenticated caller; `recognition` is the one in the path, which the caller may see. */
    toRecognition: scoped(
      callerToId(async (caller, id) => ({ recognition: await responses.toRecognition(caller.user, id) })),
    ),
    /** An authenticated caller; `reply` is the one in the path, which the caller may see. */
    toReply: scoped(callerToId(async (caller, id) => ({ reply: await responses.toReply(caller.user, id) }))),
    /** Like `toReply`, but only for superusers. */
    toAnyReply: scoped(
      callerToId(async (caller, id) => {
        const reply = await responses.toReply(caller.user, id)
        await access.requireSuperuser(caller)
        return { reply }
      }),
    ),
    /** An authenticated caller; `target` is the user in the path, who can receive points. */
    toReceiver: scoped(async (guarded, required) => {
      // Reads both users in one tick, which is one statement on PostgreSQL. Awaits the receiver after the caller, so
      // that a refused caller learns nothing about the receiver.
      const receiver = access.toReceiver(guarded.params?.username ?? "")
      receiver.catch(() => {})
      const caller = await callerOf(guarded, required)
      return { caller, target: await receiver }
    }),
    /** A superuser; `allowance` is the one in the path. */
    toAllowance: scoped(callerToId(async (caller, id) => ({ allowance: await access.toAllowance(caller, id) }))),
    /** A superuser; `department` is the one in the path. */
    toDepartment: scoped(async (guarded, required) => {
      const caller = await callerOf(guarded, required)
      return { caller, department: await access.toDepartment(caller, guarded.params?.name ?? "") }
    }),
    /** A superuser; `webhook` is the one in the path. */
    toWebhook: scoped(callerToId(async (caller, id) => ({ webhook: await access.toWebhook(caller, id) }))),
    /** A superuser; `delivery` is the one in the path. */
    toDelivery: scoped(callerToId(async (caller, id) => ({ delivery: await access.toDelivery(caller, id) }))),
    /** A superuser; `reward` is the one in the path. */
    toReward: scoped(toReward),
    /** Like `toReward`; the body is a picture, passed on as bytes. */
    toRewardPicture: scoped(toReward, ["picture", maxBodyBytes, readsText]),
    /** An authenticated caller; `reward` is the one in the path, which must be active. */
    toOffer: scoped(callerToId(async (_, id) => ({ reward: await access.toOffer(id) }))),
    /** A superuser; `redemption` is the one in the path. */
    toRedemption: scoped(callerToId(async (caller, id) => ({ redemption: await access.toRedemption(caller, id) }))),
    /** An authenticated caller; `apiToken` is the one in the path, which must be the caller's own. */
    toOwnToken: scoped(callerToId(async (caller, id) => ({ apiToken: await access.toOwnToken(caller, id) }))),
    /** A superuser; `apiToken` is the service token in the path. */
    toServiceToken: scoped(callerToId(async (caller, id) => ({ apiToken: await access.toServiceToken(caller, id) }))),
    /** An authenticated caller; `target` is the user in the path. */
    toUser: scoped(callerTo((_, username) => access.toUser(username))),
    /** A caller who may change the profile of `target`. */
    toProfile: scoped(callerTo(access.toProfile)),
    /** A caller who may read what is stored about `target`. */
    toData: scoped(callerTo(access.toData)),
    /** A caller who may read the transactions of `target`. */
    toHistory: scoped(callerTo(access.toHistory)),
    /** A caller, or the holder of a reset token, who may set the password of the user in the path. */
    toPassword: scoped(async ({ request, credentials, params }, required) => {
      const caller = await access.callerIfAny(credentials, required)
      const [resetToken = null] = queryOf(request.url, "pwd_reset_token")
      return { grant: await access.toPassword(caller, params?.username ?? "", resetToken) }
    }),
  })

  /**
   * `parse` runs only for methods with a body, `transform` for all. Both read only fields of the context, because
   * Elysia parses every header and cookie where the whole context is passed on. They are arrow functions, because
   * Elysia cannot analyze a minified method.
   */
  function guard<T>(
    admit: (guarded: Guarded) => Promise<T>,
    [kind, maxBytes, reads]: Body = ["json", maxBodyBytes, readsJson],
  ) {
    return {
      parse: [
        async (context: GuardedContext<T>) => {
          const { request, credentials, params, receive } = context
          context.admitted = await admit({ request, credentials, params })
          const tick = currentTick()
          const body = await readBody({ request, receive }, kind, maxBytes)
          // The credentials may have ended while a slow client was sending the body.
          if (currentTick() !== tick) context.admitted = await admit({ request, credentials, params })
          return body
        },
        reads,
      ],
      transform: (context: GuardedContext<T>) => {
        const { request, credentials, params, admitted } = context
        if (admitted !== undefined) return
        return admit({ request, credentials, params }).then((result) => {
          context.admitted = result
        })
      },
      resolve: ({ admitted }: GuardedContext<T>) => admitted as T,
    }
  }
}
