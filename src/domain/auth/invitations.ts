import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError } from "../errors.ts"
import { invitationKind, type MailJobs, type MailRequest } from "../jobs/jobs.ts"
import { maintains, requireMaintainer } from "../people/maintainers.ts"
import { takesPart, type User } from "../people/model.ts"
import { type Actor, requireDuty } from "../people/roles.ts"
import type { Store } from "../store.ts"

/** How many people are invited in one commit. */
const peopleAtOnce = 500

interface Dependencies {
  readonly store: Pick<Store, "jobs" | "users">
  readonly clock: Clock
  readonly mailJobs: MailJobs
}

export type Invitations = ReturnType<typeof createInvitations>

/**
 * Invitations to people who never logged in: nobody has set a password of theirs, and no account at a provider is linked. A new
 * one takes the place of one that waits or was given up.
 */
export function createInvitations({ store, clock, mailJobs }: Dependencies) {
  return {
    hasLoggedIn,

    /** @throws DomainError `not_superuser`, `user_not_found` (an inactive account), `has_logged_in` */
    async invite(actor: Actor, target: User): Promise<number> {
      requireDuty(actor, "people")
      requireMaintainer(actor, target)
      if (!takesPart(target)) throw new DomainError("user_not_found")
      if (await hasLoggedIn(target)) throw new DomainError("has_logged_in")
      await send(actor, [target])
      return 1
    },

    /** Invites everybody who never logged in, as far as the actor maintains them. @throws DomainError `not_superuser` */
    async inviteAll(actor: Actor): Promise<number> {
      requireDuty(actor, "people")
      let count = 0
      for (let after = 0; ; ) {
        const found = await store.users.neverLoggedIn({ after, limit: peopleAtOnce })
        const { user } = actor
        const invited = found.filter((target) => user === null || maintains(user, target))
        if (invited.length > 0) await send(actor, invited)
        count += invited.length
        const last = found.at(-1)
        if (last === undefined || found.length < peopleAtOnce) return count
        after = last.id
      }
    },
  }

  async function hasLoggedIn({ id }: User): Promise<boolean> {
    const [next] = await store.users.neverLoggedIn({ after: id - 1, limit: 1 })
    return next?.id !== id
  }

  async function send(actor: Actor, invited: readonly User[]): Promise<void> {
    const [one] = invited
    const entry = auditEntry(actor, clock(), "invited", invited.length === 1 && one ? { whom: one.username } : {})
    const emails = invited.map(({ email }) => email)
    const jobs = emails.map((email) => mailJobs.of(invitationKind, { email } satisfies MailRequest))
    await store.jobs.invite(emails, jobs, { ...entry, count: invited.length })
    mailJobs.wake()
  }
}
