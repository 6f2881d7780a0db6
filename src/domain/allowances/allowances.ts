import { auditEntry } from "../audit/audit-log.ts"
import type { AuditValues, Origin } from "../audit/ports.ts"
import type { Calendar } from "../calendar.ts"
import { type Clock, createFutureCheck } from "../clock.ts"
import { DatabaseDamaged } from "../damage.ts"
import { DomainError, invalid } from "../errors.ts"
import type { KeyedRequest, MakeOnce } from "../idempotency/idempotency.ts"
import type { Once } from "../idempotency/ports.ts"
import { type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import type { User } from "../people/model.ts"
import { type Actor, isSuperuser, requireDuty } from "../people/roles.ts"
import { adminUsername, theAdmin } from "../people/users.ts"
import type { Store } from "../store.ts"
import { inTimeSlices } from "../ticks.ts"
import { type AllowanceRequest, checkedFields, defaults, isSameSchedule } from "./allowance-fields.ts"
import { audienceOf, noAudience, oneAudience } from "./audience.ts"
import type { Allowance, AllowanceRun, ListedAllowance, NewAllowance, Share } from "./model.ts"
import { type PlannedShare, payRun, previewOf } from "./payments.ts"
import { type Due, duesAfter, faultOf, latestDue } from "./schedule.ts"

const maxAllowances = 100

/**
 * With `catch_up = "none"`, a period that fell due longer ago than this is not paid, because the server was down and
 * not only restarted.
 */
const lateMs = 3_600_000

/** An allowance with what follows from its schedule. */
export interface PlannedAllowance<Of = Allowance | ListedAllowance> {
  readonly allowance: Of
  /** When the next period is paid; in the past when it is due now. Null when the allowance is paused or over. */
  readonly nextRunAt: number | null
  /** The usernames of an audience of named people, ascending by id. Empty for every other audience. */
  readonly usernames: readonly string[]
}

export interface AllowancePreview {
  readonly runAt: number | null
  /** People who get something or of whose budget something expires, ascending by id. */
  readonly shares: readonly PlannedShare[]
  readonly total: number
  /** Points that expire, of everybody together. */
  readonly expired: number
}

/** A preview in which shares may be hidden. */
export interface ShownPreview extends Omit<AllowancePreview, "shares"> {
  readonly shares: readonly (Pick<PlannedShare, "receiver"> & {
    readonly value: number | null
    readonly expired: number | null
  })[]
}

/** What decides when an allowance is paid. */
type Scheduled = Allowance | ListedAllowance

/** The next payment of an allowance to one person. */
interface NextAllowance extends Pick<Allowance, "value" | "mode"> {
  readonly at: number
}

interface Dependencies {
  readonly store: Pick<Store, "allowances" | "ledger" | "users">
  readonly clock: Clock
  readonly calendar: Calendar
  readonly makeOnce: MakeOnce
  /** How many people are paid in one commit. */
  readonly peopleAtOnce?: number
}

export type Allowances = ReturnType<typeof createAllowances>

/**
 * Points that `admin` pays at intervals (docs/interface/allowances.md). Each period is paid once: its run is one
 * row, which the first process inserts and each commit of payments advances. So every process may pay, and may continue
 * an unfinished run.
 */
export function createAllowances({ store, clock, calendar, makeOnce, peopleAtOnce = 5000 }: Dependencies) {
  const isLastinglyFromFuture = createFutureCheck(clock)

  return {
    /** One after the other, because together they may name half a million people. */
    async *list(): AsyncGenerator<PlannedAllowance, void> {
      for (const allowance of await store.allowances.list()) yield planned(allowance)
    },

    planned,

    /** @throws DomainError `not_superuser`, `invalid`, `user_not_found` (naming all unknown usernames), `own_request`, and those of
     *  `MakeOnce` */
    async add(by: Actor, request: AllowanceRequest, keyed?: KeyedRequest | null): Promise<PlannedAllowance<Allowance>> {
      requireDuty(by, "programme")
      return planned(await makeOnce(keyed, (once) => create(by, request, once)))
    },

    /**
     * Changes the fields that are given. The change takes effect with the next run.
     * @throws DomainError `not_superuser`, `invalid`, `user_not_found`, `own_request`, `allowance_not_found`
     */
    async change(by: Actor, known: Allowance, request: AllowanceRequest): Promise<PlannedAllowance<Allowance>> {
      requireDuty(by, "programme")
      checkedFields(known, request)
      const audience = request.audience && (await audienceOf(store.users, request.audience, known.audience))
      await refuseOwn(by, audience ?? known.audience)
      const now = clock()
      const changed = await store.allowances.update(known.id, (before) => {
        const fields = checkedFields(before, request)
        const isResumed = fields.isActive && !before.isActive
        const dueFrom = isResumed || !isSameSchedule(before, fields) ? now : before.dueFrom
        const after = { ...before, ...fields, audience: audience ?? before.audience, dueFrom }
        const done = fields.isActive === before.isActive ? "changed" : fields.isActive ? "resumed" : "paused"
        const audit = auditEntry(by, now, "allowance_changed", {
          detail: `${done}: ${summaryOf(after)}`,
          before: valuesOf(before),
          after: valuesOf(after),
        })
        return { after, audit }
      })
      if (!changed) throw new DomainError("allowance_not_found")
      return planned(changed)
    },

    /** A run that has begun goes on. @throws DomainError `not_superuser`, `allowance_not_found` */
    async remove(by: Actor, allowance: Allowance): Promise<void> {
      requireDuty(by, "programme")
      const now = clock()
      const entry = auditEntry(by, now, "allowance_removed", {
        detail: summaryOf(allowance),
        before: valuesOf(allowance),
      })
      if (!(await store.allowances.remove(allowance.id, now, entry))) throw new DomainError("allowance_not_found")
    },

    /**
     * Pays the current period now, even while the allowance is paused. Returns the run.
     * @throws DomainError `not_superuser`, `own_request`, `no_period`, `period_paid`, and those of `MakeOnce`
     */
    async run(by: Actor, allowance: Allowance, keyed?: KeyedRequest | null): Promise<AllowanceRun> {
      requireDuty(by, "programme")
      await refuseOwn(by, allowance.audience)
      const run = await makeOnce<AllowanceRun>(keyed, (once) => begin(by, allowance, once))
      await pay(run)
      return (await store.allowances.runOf(allowance.id, run)) ?? run
    },

    /** What the next run would pay if it were now. */
    preview,

    /**
     * The same for a reader. What fills a budget tells how full it is, so only superusers see the share of each person.
     */
    async previewFor(reader: User, allowance: Allowance): Promise<ShownPreview> {
      const found = await preview(allowance)
      if (isSuperuser(reader) || allowance.mode === "add") return found
      return { ...found, shares: found.shares.map(({ receiver }) => ({ receiver, value: null, expired: null })) }
    },

    /** Newest first. @throws DomainError `invalid` (`before`, `size`) */
    async runs({ id }: Allowance, query: PageQuery): Promise<PageBefore<AllowanceRun>> {
      const range = pageRange(query, "a run")
      return pageAmong(await store.allowances.runs(id, range), range)
    },

    /** The next allowance that this user gets; null when there is none. */
    async nextFor(user: User): Promise<NextAllowance | null> {
      if (user.username === adminUsername) return null
      let next: NextAllowance | null = null
      for await (const allowance of inTimeSlices(await store.allowances.listFor(user))) {
        const at = await nextRunAt(allowance)
        const { value, mode } = allowance
        if (at !== null && (next === null || at < next.at)) next = { value, mode, at }
      }
      return next
    },

    /**
     * Continues unfinished runs, and pays every period that is due. Servers call this every second or two. A failure of
     * one allowance does not stop the others.
     */
    async payDue(onFailure: (error: unknown) => void): Promise<void> {
      for (const run of await store.allowances.unfinished()) await pay(run).catch(onFailure)
      for await (const allowance of inTimeSlices(await store.allowances.list()))
        await payIfDue(allowance).catch(onFailure)
    },
  }

  async function preview(allowance: Allowance): Promise<AllowancePreview> {
    const shares = await previewOf(store, await payer(), allowance)
    const sum = (of: (share: Share) => number) => shares.reduce((sum, share) => sum + of(share), 0)
    const [total, expired] = [sum(({ value }) => value), sum(({ expired }) => expired)]
    return { runAt: await nextRunAt(allowance), shares, total, expired }
  }

  /**
   * Nobody decides about an allowance that only they get, except superusers, who can give themselves any points anyway.
   * @throws DomainError `own_request`
   */
  async function refuseOwn({ user }: Actor, audience: Allowance["audience"]): Promise<void> {
    if (user === null || isSuperuser(user) || "damaged" in audience) return
    const some = await store.allowances.receivers(audience, 0, 3) // the user, `admin`, who gets nothing, and anybody else
    const others = some.filter(({ id, username }) => id !== user.id && username !== adminUsername)
    if (others.length === 0 && some.some(({ id }) => id === user.id)) throw new DomainError("own_request")
  }

  async function create(by: Actor, request: AllowanceRequest, once?: Once<Allowance>): Promise<Allowance> {
    if (request.mode === undefined) throw invalid("mode", "add, top_up or reset")
    if (request.period === undefined) throw invalid("period", "day, week, month or quarter")
    if (request.audience === undefined) throw invalid("audience", oneAudience)
    const fields = checkedFields(defaults, request)
    const audience = await audienceOf(store.users, request.audience)
    await refuseOwn(by, audience)
    const others = await store.allowances.list()
    if (others.length >= maxAllowances) throw invalid("name", `there are ${maxAllowances} allowances already`)
    const now = clock()
    const after = valuesOf({ ...fields, audience })
    const entry = auditEntry(by, now, "allowance_added", { detail: summaryOf(fields), after })
    return store.allowances.create({ ...fields, audience, dueFrom: now }, entry, once)
  }

  async function begin(by: Origin, allowance: Allowance, once?: Once<AllowanceRun>): Promise<AllowanceRun> {
    refuseDamaged(allowance)
    const now = clock()
    const due = latestDue(calendar, { ...allowance, endsOn: null }, now)
    if (due === null || isOver(allowance, now)) throw new DomainError("no_period")
    const entry = auditEntry(by, now, "allowance_run", { detail: `${summaryOf(allowance)}, ${due.firstDay}` })
    const { period, firstDay } = due
    const begun = { period, firstDay, allowanceId: allowance.id, begunAt: now, dueAt: null }
    const run = await store.allowances.begin(begun, entry, once)
    if (run === null) throw new DomainError("period_paid")
    return run
  }

  async function payIfDue(allowance: ListedAllowance) {
    if (isLastinglyFromFuture(`${allowance.id}`, allowance.dueFrom)) await startFromNow(allowance)
    const due = await dueNow(allowance)
    if (due === null) return
    const { at: dueAt, period, firstDay } = due
    const begunAt = clock()
    const detail = `${summaryOf(allowance)}, ${firstDay}`
    const entry = auditEntry({ who: null, way: "server", address: null }, begunAt, "allowance_run", { detail })
    const run = await store.allowances.begin({ period, firstDay, allowanceId: allowance.id, begunAt, dueAt }, entry)
    if (run) await pay(run)
  }

  /** For an allowance that a wrong clock lets begin in the future: what falls due from now on is paid, nothing before. */
  async function startFromNow({ id }: Scheduled) {
    const now = clock()
    await store.allowances.update(id, (before) => {
      const detail = `${summaryOf(before)}, begins now and not at ${new Date(before.dueFrom).toISOString()}`
      const audit = auditEntry({ who: null, way: "server", address: null }, now, "allowance_changed", { detail })
      return { after: { ...before, dueFrom: Math.min(before.dueFrom, now) }, audit }
    })
  }

  async function pay(run: AllowanceRun) {
    await payRun({ store, clock }, await payer(), run)
  }

  async function payer() {
    const admin = await theAdmin(store.users)
    return { senderId: admin.id, peopleAtOnce }
  }

  /** The period to pay now; null when there is none. Earlier unpaid periods are skipped. */
  async function dueNow(allowance: Scheduled): Promise<Due | null> {
    if (!allowance.isActive) return null
    refuseDamaged(allowance)
    const now = clock()
    const due = latestDue(calendar, allowance, now)
    if (due === null || due.at < allowance.dueFrom) return null
    if (allowance.catchUp === "none" && now - due.at > lateMs) return null
    return (await isUnpaid(allowance, due)) ? due : null
  }

  async function nextRunAt(allowance: Scheduled): Promise<number | null> {
    // One that is damaged is not paid, and must not keep people from their account. `payDue` and `verify` say what is wrong.
    if (!allowance.isActive || damageIn(allowance) !== null) return null
    const due = await dueNow(allowance)
    if (due) return due.at
    for (const next of duesAfter(calendar, allowance, clock())) if (await isUnpaid(allowance, next)) return next.at
    return null
  }

  async function isUnpaid({ id }: Scheduled, due: Due): Promise<boolean> {
    return (await store.allowances.runOf(id, due)) === null
  }

  function isOver({ endsOn }: Allowance, now: number): boolean {
    return endsOn !== null && calendar.dateAt(now).toString() > endsOn
  }

  async function planned<Of extends Allowance | ListedAllowance>(allowance: Of): Promise<PlannedAllowance<Of>> {
    const { id, audience } = allowance
    const isNamed = "userIds" in audience || "named" in audience
    return {
      allowance,
      nextRunAt: await nextRunAt(allowance),
      usernames: isNamed ? await store.allowances.usernamesOf(id) : [],
    }
  }
}

const damageIn = (allowance: Scheduled): string | null =>
  faultOf(allowance) ?? ("damaged" in allowance.audience ? noAudience : null)

/** @throws DatabaseDamaged */
function refuseDamaged(allowance: Scheduled) {
  const damage = damageIn(allowance)
  if (damage !== null) throw new DatabaseDamaged(`allowance ${allowance.id} has ${damage}`)
}

const valuesOf = (allowance: Omit<NewAllowance, "dueFrom">): AuditValues => ({
  name: allowance.name,
  value: allowance.value,
  mode: allowance.mode,
  period: allowance.period,
  on: allowance.dueDay,
  at: allowance.dueTime,
  audience: "userIds" in allowance.audience ? { usernames: allowance.audience.userIds } : allowance.audience,
  reason: allowance.reason,
  starts_on: allowance.startsOn,
  ends_on: allowance.endsOn,
  catch_up: allowance.catchUp,
  active: allowance.isActive,
})

const summaryOf = ({ name, value, mode, period }: Pick<Allowance, "name" | "value" | "mode" | "period">): string =>
  `${name}: ${mode} ${value} each ${period}`
