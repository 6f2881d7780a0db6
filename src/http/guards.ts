import { Elysia } from "elysia"
import type { Caller, RequiredScope } from "../domain/auth/access.ts"
import type { TokenScope } from "../domain/auth/model.ts"
import type { WriteLimit } from "../domain/auth/write-limit.ts"
import { DomainError } from "../domain/errors.ts"
import { maxImportBytes } from "../domain/people/imports.ts"
import { type Actor, requireDuty, requireOwn } from "../domain/people/roles.ts"
import { currentTick } from "../domain/ticks.ts"
import { recognize, whoAsks } from "../support/requester.ts"
import { type BodyKind, type Incoming, readBody } from "./body.ts"
import type { Cost } from "./costs.ts"
import {
  type About,
  type CallerKind,
  type Guard,
  type GuardSources,
  guardTable,
  type KnownCaller,
} from "./guard-table.ts"
import { type Arrival, queryOf, wallKeyOf } from "./request.ts"
import type { BoundName, Holder, Turns } from "./turns.ts"

interface Dependencies extends GuardSources {
  /** The setting `limits.body_bytes`. */
  readonly maxBodyBytes: number
  readonly turns: Turns
  readonly countWrite: WriteLimit
}

interface Guarded extends Pick<Arrival, "credentials"> {
  readonly request: Request
  readonly holder: Holder
  /** Absent where the path has none. */
  readonly params?: { readonly username?: string; readonly id?: string; readonly name?: string } | undefined
}

/** Kind, greatest length in bytes, and media type. */
type Body = readonly [BodyKind, number, never]

/** Elysia's context, on which a guard leaves its result for the handler. */
interface GuardedContext<T> extends Guarded, Incoming {
  admitted?: T
}

/** What a route names. The hooks of the route keep it, for the tests of who may do what. */
export interface NamedGuard {
  readonly name: string
  readonly scope: RequiredScope
  /** Null for `toPassword`. */
  readonly row: Guard | null
  /** What the route costs, as costs.ts says. api.ts sets it, because a guard does not know the path of its route. */
  cost: Cost
  /** Whether a request counts as a change of its caller. api.ts sets it too. */
  isWrite: boolean
}

function recognizePerson(caller: Caller | null) {
  if (caller !== null) recognize(`person ${caller.user.id}`)
}

/** What a handler gets from a row of the table. `actor` is who acts and from where, for the rules and the audit log. */
type Admitted<R extends Guard> = (R["caller"] extends KnownCaller
  ? { readonly caller: Caller; readonly actor: Actor }
  : { readonly caller: Caller | null }) &
  (R extends { readonly about: About<infer As, infer Found> } ? { readonly [Name in As]: Found } : unknown)

// Elysia never runs these parsers, because they come after one of our own. The OpenAPI document takes the media type of
// a route from them. The casts are needed because Elysia's type allows only functions.
const readsJson = "json" as never
const readsForm = "urlencoded" as never
const readsText = "text" as never

// base.ts sets these for each request.
const unset: {
  -readonly [K in "credentials" | "receive" | "listener"]: Arrival[K]
} & { clientAddress: string; holder: Holder } = {
  clientAddress: "",
  holder: { turn: null },
  listener: { requestIP: () => null, upgrade: () => false },
  receive: (body) => body,
  credentials: { sessionId: null, authorization: null, fresh: false, address: "" },
}

const requiredScope = (scope: TokenScope | true): RequiredScope => (scope === true ? "nobody" : scope)

export type Guards = ReturnType<typeof createGuards>

/**
 * A route names one guard of guard-table.ts. It checks credentials and access (401, 404, 403) before the body is read (413,
 * 415, 400) and before anything is validated (422), and passes what it found to the handler. `json` and `form` are for public
 * routes: they only read the body.
 *
 * The value of a guard is the scope that an API token needs for the route, such as `authenticated: "read"`; with
 * `true`, no API token may use the route. Every handler also gets `clientAddress`, the client's IP address,
 * `credentials`, which are not checked, and `listener`, which took the connection.
 */
export function createGuards({ maxBodyBytes, turns, countWrite, ...sources }: Dependencies) {
  const { access } = sources
  const table = guardTable(sources)
  const bodies = {
    json: ["json", maxBodyBytes, readsJson],
    picture: ["picture", maxBodyBytes, readsText],
    csv: ["csv", maxImportBytes, readsText],
    scim: ["scim", maxBodyBytes, readsJson],
  } as const satisfies Record<string, Body>

  const callers: Record<CallerKind, (guarded: Guarded, scope: RequiredScope) => Promise<Caller | null>> = {
    anyone: ({ credentials }, scope) => access.callerIfAny(credentials, scope),
    anyoneSettingUp: ({ credentials }, scope) => access.callerSettingUpIfAny(credentials, scope),
    watcher: ({ request, credentials }, scope) => access.watcher(wallKeyOf(request), credentials, scope),
    user: ({ credentials }, scope) => access.caller(credentials, scope),
    settingUp: ({ credentials }, scope) => access.callerSettingUp(credentials, scope),
    apiToken: ({ credentials }, scope) => access.callerWithApiToken(credentials, scope),
  }

  type Table = typeof table
  // The compiler cannot see that each guard is made of its own row.
  const guards = Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, guardOf(name, row)]),
  ) as unknown as { readonly [Name in keyof Table]: ReturnType<typeof guardOf<Table[Name]>> }

  return new Elysia({ name: "guards" }).decorate(unset).macro({
    json: {
      parse: [({ request, receive }: Incoming) => readBody({ request, receive }, "json", maxBodyBytes), readsJson],
    },
    form: {
      parse: [({ request, receive }: Incoming) => readBody({ request, receive }, "form", maxBodyBytes), readsForm],
    },
    ...guards,
    /** A caller, or the holder of a reset token, who may set the password of the user in the path. No row, because the token
     *  is looked at before the caller's own rights. */
    toPassword: (scope: TokenScope | true) =>
      guard(
        { name: "toPassword", scope: requiredScope(scope), row: null, cost: "cheap", isWrite: false },
        async ({ request, credentials, params }) => {
          const caller = await access.callerIfAny(credentials, requiredScope(scope))
          recognizePerson(caller)
          const [resetToken = null] = queryOf(request.url, "pwd_reset_token")
          return { caller, grant: await access.toPassword(caller, params?.username ?? "", resetToken) }
        },
        bodies.json,
      ),
  })

  /** A guard by the scope that a route names; `true` for none. */
  function guardOf<R extends Guard>(name: string, row: R) {
    return (scope: TokenScope | true) => {
      const named: NamedGuard = { name, scope: requiredScope(scope), row, cost: "cheap", isWrite: false }
      return guard(named, (guarded) => admit(row, guarded, named), bodies[row.body ?? "json"])
    }
  }

  async function admit<R extends Guard>(
    { caller: kind, about, role, duties = [], isRecent }: R,
    guarded: Guarded,
    { scope, cost }: NamedGuard,
  ) {
    const key = about === undefined ? "" : (guarded.params?.[about.by] ?? "")
    // Awaited after the caller, so that a refused caller learns nothing about it.
    const early = about?.findEarly?.(key, guarded.request)
    early?.catch(() => {})
    const caller = await callers[kind](guarded, scope)
    recognizePerson(caller)
    if (cost !== "cheap" && cost !== "list") await takeTurn(cost, guarded)
    if (caller === null) return { caller } as unknown as Admitted<R>

    const found = about === undefined ? null : await (early ?? about.find(key, caller))
    if (about !== undefined && found === null) throw new DomainError(about.missing)
    if (role === "superuser") requireDuty(caller, ...duties)
    else if (role !== undefined) requireOwn(caller.user, about?.ownerId?.(found), role.selfOr)
    if (about?.isOpenTo?.(found, caller) === false) throw new DomainError("not_superuser")
    if (isRecent) await access.requireRecentLogin(caller)
    const { user } = caller
    const actor: Actor = { user, who: user.username, way: "http", address: guarded.credentials.address }
    return { caller, actor, ...(about !== undefined && { [about.as]: found }) } as unknown as Admitted<R>
  }

  /** Before anything is read for the request, its body too. The check after the body finds that it has its turn. */
  async function takeTurn(cost: BoundName, { request, holder }: Guarded) {
    holder.turn ??= await turns(cost, whoAsks(), request.signal)
  }

  /**
   * `parse` runs only for methods with a body, `transform` for all. Both read only fields of the context, because
   * Elysia parses every header and cookie where the whole context is passed on. They are arrow functions, because
   * Elysia cannot analyze a minified method.
   */
  function guard<T extends { readonly caller: Caller | null }>(
    named: NamedGuard,
    check: (guarded: Guarded) => Promise<T>,
    [kind, maxBytes, reads]: Body,
  ) {
    /** Counts once, before the body is read. */
    async function counted(guarded: Guarded) {
      const admitted = await check(guarded)
      if (admitted.caller !== null) await countWrite(admitted.caller.user)
      return admitted
    }
    const enter = (guarded: Guarded) => (named.isWrite ? counted : check)(guarded)

    /** The credentials may have ended while the request waited for its turn. */
    async function begin(context: GuardedContext<T>, guarded: Guarded) {
      if (guarded.holder.turn === null) return
      await guarded.holder.turn.begin()
      context.admitted = await check(guarded)
    }

    return {
      introspect: (hooks: Record<string, unknown>) => Object.assign(hooks, { guard: named }),
      parse: [
        async (context: GuardedContext<T>) => {
          const { request, credentials, params, receive, holder } = context
          const guarded = { request, credentials, params, holder }
          context.admitted = await enter(guarded)
          const tick = currentTick()
          const body = await readBody({ request, receive }, kind, maxBytes)
          // The credentials may have ended while a slow client was sending the body.
          if (currentTick() !== tick) context.admitted = await check(guarded)
          return body
        },
        reads,
      ],
      transform: (context: GuardedContext<T>) => {
        const { request, credentials, params, admitted, holder } = context
        const guarded = { request, credentials, params, holder }
        if (admitted !== undefined) return holder.turn === null ? undefined : begin(context, guarded)
        return enter(guarded).then((result) => {
          context.admitted = result
          return begin(context, guarded)
        })
      },
      resolve: ({ admitted }: GuardedContext<T>) => admitted as T,
    }
  }
}
