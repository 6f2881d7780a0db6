import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { type MailJobs, type TestMail, testMailKind } from "../jobs/jobs.ts"
import { type MailSelection, type MailState, mailStates, type QueuedMail } from "../jobs/ports.ts"
import { type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import type { User } from "../people/model.ts"
import { type Actor, requireSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"

interface Dependencies {
  readonly store: Pick<Store, "jobs">
  readonly clock: Clock
  readonly mailJobs: MailJobs
  /** The setting `jobs.max_attempts`. */
  readonly maxAttempts: number
}

export type MailQueue = ReturnType<typeof createMailQueue>

/** The mail that is not sent, for superusers. */
export function createMailQueue({ store: { jobs }, clock, mailJobs, maxAttempts }: Dependencies) {
  return {
    /** Newest first; without `state` what waits and what was given up. @throws DomainError `not_superuser`, `invalid` */
    async page(
      actor: Actor,
      { state, ...query }: PageQuery & { readonly state?: string | undefined },
    ): Promise<PageBefore<QueuedMail>> {
      requireSuperuser(actor)
      const range = pageRange(query, "a mail")
      return pageAmong(await jobs.mail({ state: stateOf(state), ...range }), range)
    },

    /** Sends one mail at once, whether it waits or was given up. Returns 0 for one that is being sent at this moment, or was.
     *  @throws DomainError `not_superuser` */
    retry: (actor: Actor, { id }: Pick<QueuedMail, "id">): Promise<number> => retried(actor, { id }, `mail ${id}`),

    /** Sends at once all mail that failed, but not because of its recipient. @throws DomainError `not_superuser` */
    retryAll: (actor: Actor): Promise<number> => retried(actor, { causes: ["operator", "unreachable"] }, null),

    /** Sends a mail to a superuser. @throws DomainError `not_superuser`, `no_email` */
    async sendTest(actor: Actor, { id: userId, email: to }: User): Promise<QueuedMail> {
      requireSuperuser(actor)
      if (to === "") throw new DomainError("no_email")
      const { id, kind, runAt } = await jobs.enqueue(mailJobs.of(testMailKind, { userId } satisfies TestMail))
      mailJobs.wake()
      const untried = { attempts: 0, lastAnswer: null, cause: null, cure: null }
      return { id, kind, to, state: "waiting", ...untried, nextAt: runAt }
    },
  }

  async function retried(actor: Actor, which: MailSelection, detail: string | null): Promise<number> {
    requireSuperuser(actor)
    const now = clock()
    const count = await jobs.retryMail(which, now, maxAttempts, auditEntry(actor, now, "mail_retried", { detail }))
    if (count > 0) mailJobs.wake()
    return count
  }
}

function stateOf(given: string | undefined): MailState | undefined {
  const state = mailStates.find((known) => known === given)
  if (given !== undefined && state === undefined) throw invalid("state", `one of ${mailStates.join(", ")}`)
  return state
}
