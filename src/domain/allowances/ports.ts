import type { AuditEntry } from "../audit/ports.ts"
import type { Once } from "../idempotency/ports.ts"
import type { Transaction } from "../ledger/model.ts"
import type { Pockets, User } from "../people/model.ts"
import type {
  Allowance,
  AllowanceRun,
  Audience,
  AudienceMember,
  ListedAllowance,
  NewAllowance,
  NewRun,
  PeriodKey,
  RunSlice,
  Share,
} from "./model.ts"

/** Allowances and their runs, which `AllowanceLedger.payRun` pays. A removed allowance can be found only through `runs`. */
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

/** What the ledger does for allowances. */
export interface AllowanceLedger {
  /**
   * Appends the transactions of one slice of an allowance's run and stores how far the run has come, in one commit.
   * `shareOf` says how many points of a receiver expire, and how many the receiver gets; the pockets and the balance of
   * the sender that it is given include the transactions before. For 0 points, or for a receiver who has left meanwhile,
   * nothing is appended. Null, with nothing changed, when the run is finished or is not at `afterId`, because another
   * process has paid the slice.
   */
  payRun(
    slice: RunSlice,
    shareOf: (receiver: Pockets, senderBalance: number) => Share,
  ): Promise<readonly Transaction[] | null>
}
