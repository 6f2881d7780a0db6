import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError } from "../errors.ts"
import { invitationKind, type MailJobs, type MailRequest } from "../jobs/jobs.ts"
import { maintains, requireMaintainer } from "../people/maintainers.ts"
import { takesPart, type User } from "../people/model.ts"
import { type Actor, requireDuty, requireSuperuser } from "../people/roles.ts"
import { inviterOf } from "../people/users.ts"
import type { Store } from "../store.ts"
import { mayUsePassword, type PasswordLogin } from "./login-rights.ts"
import type { Tokens } from "./tokens.ts"

/** How many people are invited in one commit. */
const peopleAtOnce = 500

interface Dependencies {
  readonly store: Pick<Store, "jobs" | "users">
  readonly clock: Clock
  readonly mailJobs: MailJobs
  readonly tokens: Pick<Tokens, "signInvitation" | "signReset">
  readonly passwordLogin: PasswordLogin
  /** Whether mail only goes to a file (`email.debug_mode`), so that nobody gets it. */
  readonly isTrial: boolean
  /** The page that takes the token, without a query, and the one to log in. Functions, because the port may be known only later. */
  readonly resetUrl: () => string
  readonly loginUrl: () => string
}

/** What a mail would have brought somebody. */
export interface AccountLink {
  readonly username: string
  readonly name: string
  readonly url: string
}

/** How many links are made at once. */
const maxLinks = 100

export type Invitations = ReturnType<typeof createInvitations>

/**
 * Invitations to people who never logged in: nobody has set a password of theirs, and no account at a provider is linked. A new
 * one takes the place of one that waits or was given up.
 */
export function createInvitations(dependencies: Dependencies) {
  const { store, clock, mailJobs, tokens, passwordLogin, isTrial, resetUrl, loginUrl } = dependencies

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

    /**
     * In a trial, where nobody gets mail: the links that it would bring, to this person, or to those who never logged in. Otherwise
     * none.
     * @throws DomainError `not_superuser`
     */
    async links(actor: Actor, target: User | null): Promise<readonly AccountLink[]> {
      requireSuperuser(actor)
      if (!isTrial) return []
      const people = target === null ? await store.users.neverLoggedIn({ after: 0, limit: maxLinks }) : [target]
      return Promise.all(people.filter(takesPart).map(linkTo))
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

  async function linkTo(user: User): Promise<AccountLink> {
    const { username, name } = user
    if (!mayUsePassword(passwordLogin, user)) return { username, name, url: loginUrl() }
    const sign = (await hasLoggedIn(user)) ? tokens.signReset : tokens.signInvitation
    return { username, name, url: `${resetUrl()}?pwd_reset_token=${await sign(user)}` }
  }

  async function hasLoggedIn({ id }: User): Promise<boolean> {
    const [next] = await store.users.neverLoggedIn({ after: id - 1, limit: 1 })
    return next?.id !== id
  }

  async function send(actor: Actor, invited: readonly User[]): Promise<void> {
    const [one] = invited
    const entry = auditEntry(actor, clock(), "invited", invited.length === 1 && one ? { whom: one.username } : {})
    const emails = invited.map(({ email }) => email)
    const jobs = emails.map((email) =>
      mailJobs.of(invitationKind, { email, ...inviterOf(actor) } satisfies MailRequest),
    )
    await store.jobs.invite(emails, jobs, { ...entry, count: invited.length })
    mailJobs.wake()
  }
}
