import { type AuditLog, auditEntry } from "../audit/audit-log.ts"
import { type AuditChange, type AuditFilter, type AuditRecord, type AuditValues, auditActions } from "../audit/ports.ts"
import { type Calendar, dayFrom } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import { type Abortable, type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import type { UserStore } from "../people/ports.ts"
import { type Actor, requireSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { isLongerThan, wordOf } from "../text.ts"

/** In characters. */
export const maxAuditSearch = 100

/** The query parameters of GET /api/v1/audit that choose entries, not yet checked. */
export interface AuditQuery extends Abortable {
  readonly who?: string | undefined
  /** One of `auditActions`. */
  readonly what?: string | undefined
  /** First and last day, YYYY-MM-DD. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** A text in an entry, whatever its case. */
  readonly q?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "audit"> & { readonly users: Pick<UserStore, "byIds"> }
  readonly clock: Clock
  readonly calendar: Calendar
  readonly auditLog: Pick<AuditLog, "record">
}

/** What superusers read of the audit log. */
export function createAuditEntries({ store: { audit, users }, clock, calendar, auditLog }: Dependencies) {
  return {
    /** Newest first. @throws DomainError `not_superuser`; `invalid`, naming the parameter */
    async page(actor: Actor, query: AuditQuery & PageQuery): Promise<PageBefore<AuditRecord>> {
      requireSuperuser(actor)
      const range = pageRange(query, "an entry")
      const found: AuditRecord[] = []
      for await (const slice of matching(query, range.before)) {
        found.push(...slice)
        if (found.length >= range.limit) break
      }
      return pageAmong(found, range)
    },

    /** All that match, newest first. Reading them is an entry of the log. @throws DomainError as `page` */
    async all(actor: Actor, query: AuditQuery): Promise<AsyncGenerator<AuditRecord[], void>> {
      requireSuperuser(actor)
      const found = matching(query)
      await auditLog.record(auditEntry(actor, clock(), "exported", { detail: "audit" }))
      return found
    },
  }

  function matching(query: AuditQuery, before?: number): AsyncGenerator<AuditRecord[], void> {
    const filter = filterOf(query, calendar)
    const isFound = textFilter(query.q ?? "")
    return (async function* () {
      for await (const slice of audit.slices(filter, before)) {
        query.signal?.throwIfAborted()
        yield (await withNames(users, slice)).filter(isFound)
      }
    })()
  }
}

/** @throws DomainError `invalid` */
function filterOf({ who, what, from, to }: AuditQuery, calendar: Calendar): AuditFilter {
  const last = to === undefined ? undefined : dayFrom("to", to)
  return {
    who,
    action: what === undefined ? undefined : wordOf("what", auditActions, what),
    since: from === undefined ? undefined : calendar.startOf(dayFrom("from", from)),
    until: last === undefined ? undefined : calendar.startOf(last + 1),
  }
}

/** @throws DomainError `invalid` */
function textFilter(q: string): (record: AuditRecord) => boolean {
  if (isLongerThan(q, maxAuditSearch)) throw invalid("q", `at most ${maxAuditSearch} characters`)
  const text = q.trim().toLowerCase()
  return ({ who, whom, action, address, detail, before, after }) =>
    [who, whom, action, address, detail, ...[before, after].map((values) => values && textOf(values))].some((part) =>
      part?.toLowerCase().includes(text),
    )
}

/** Values as people search for them, without the quotes of JSON around texts. */
const textOf = (values: AuditValues): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n")

/** Entries with the present usernames of those whom an allowance names, which are stored as ids. */
export async function withNames<Entry extends AuditChange>(
  users: Pick<UserStore, "byIds">,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const ids = new Set(entries.flatMap(({ before, after }) => [...idsIn(before), ...idsIn(after)]))
  if (ids.size === 0) return [...entries]
  const names = new Map((await users.byIds([...ids])).map(({ id, username }) => [id, username]))
  const named = (values: AuditValues | null): AuditValues | null => {
    const named = idsIn(values)
    return named.length === 0
      ? values
      : { ...values, audience: { usernames: named.map((id) => names.get(id) ?? `${id}`) } }
  }
  return entries.map((entry) => ({ ...entry, before: named(entry.before), after: named(entry.after) }))
}

function idsIn(values: AuditValues | null): readonly number[] {
  const audience = values?.audience
  const isNamed = typeof audience === "object" && audience !== null && "usernames" in audience
  return isNamed && Array.isArray(audience.usernames)
    ? audience.usernames.filter((id): id is number => typeof id === "number")
    : []
}
