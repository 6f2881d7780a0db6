import type { AuditEntry } from "../audit/ports.ts"
import type { Once } from "../idempotency/ports.ts"
import type { User } from "../people/model.ts"
import type {
  Allowance,
  AllowanceRun,
  Audience,
  AudienceMember,
  ListedAllowance,
  NewAllowance,
  NewRun,
  PeriodKey,
} from "./model.ts"

/** Allowances and their runs, which `LedgerStore.payRun` pays. A removed allowance can be found only through `runs`. */
export interface AllowanceStore {
  /** Ascending by id. */
  list(): Promise<ListedAllowance[]>
  /** Those whose audience includes this user, ascending by id. */
  listFor(user: Pick<User, "id" | "dept">): Promise<ListedAllowance[]>
  /** The usernames of the people whom an allowance names, ascending by id. */
  usernamesOf(id: number): Promise<string[]>
  find(id: number): Promise<Allowance | null>
  create(allowance: NewAllowance, audit: AuditEntry, once?: Once<Allowance>): Promise<Allowance>
  /**
   * Stores everything that `change` returns except `lastRunAt`. `change` gets the allowance as it is while it is locked.
   * Returns what was stored; null when there is none with this id.
   * @throws what `change` throws
   */
  update(
    id: number,
    change: (before: Allowance) => { readonly after: Allowance; readonly audit: AuditEntry },
  ): Promise<Allowance | null>
  /** False when there is none with this id. A run that has begun goes on. */
  remove(id: number, now: number, audit: AuditEntry): Promise<boolean>
  /**
   * Begins the run of a period, with the points, reason and audience that the allowance has at that moment. Null, with
   * nothing changed, when the period has a run or there is no such allowance. An automatic run (with a `dueAt`) is also
   * not begun when the allowance is paused or no longer due.
   */
  begin(run: NewRun, audit?: AuditEntry, once?: Once<AllowanceRun>): Promise<AllowanceRun | null>
  /** Null when the period has none. */
  runOf(allowanceId: number, period: PeriodKey): Promise<AllowanceRun | null>
  /** Runs that have begun and are not finished, ascending by id. */
  unfinished(): Promise<AllowanceRun[]>
  /** Newest first, at most `limit`, with ids below `before`. */
  runs(
    allowanceId: number,
    query: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<AllowanceRun[]>
  /** Active members of an audience with a higher id, ascending, at most `limit`. */
  receivers(audience: Audience, afterId: number, limit: number): Promise<AudienceMember[]>
}
