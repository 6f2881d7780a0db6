import { type AuditEntry, auditEntry } from "./audit.ts"
import { DomainError } from "./errors.ts"
import { type MergePlan, planMerge } from "./import-plan.ts"
import { type ImportFault, type ImportRow, rowsOf } from "./import-rows.ts"
import type { NewJob } from "./jobs.ts"
import type { Passwords } from "./passwords.ts"
import { type Actor, requireSuperuser } from "./roles.ts"
import type { Clock, NewUser, Store, User } from "./store.ts"

/** People of one file, which become one commit. */
export const maxImportRows = 20_000
/** Bytes of the file. */
export const maxImportBytes = 10_000_000

/** Whoever has one of these is found. */
export interface UserKeys {
  readonly usernames: readonly string[]
  /** Found without regard to case. */
  readonly emails: readonly string[]
}

export interface UserChanges {
  readonly create: readonly NewUser[]
  /** As they shall be, all but password and access version. */
  readonly update: readonly User[]
  readonly entries: readonly AuditEntry[]
  readonly jobs: readonly NewJob[]
}

/** The part of the port that changes many users at once; store.ts has the rest. */
export interface UserMerge {
  matching(keys: UserKeys): Promise<User[]>
  /** Runs `plan`, which is pure and synchronous, on those who match, and does what it says, in one commit or not at all. */
  merge(keys: UserKeys, plan: (matching: readonly User[]) => UserChanges): Promise<void>
}

export interface ImportOptions {
  /** Changes nothing. */
  readonly dryRun: boolean
  /** Mails to everybody who is created a way to a password. */
  readonly invite: boolean
}

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** By row; nothing was done, or would be, when there are any. */
  readonly errors: readonly ImportFault[]
}

interface Dependencies {
  readonly store: Pick<Store, "users" | "people">
  readonly clock: Clock
  /** A hash that no password has. */
  readonly noPassword: string
  readonly passwords: Pick<Passwords, "invitationTo" | "onEnqueue">
  /** Where people reach this server. */
  readonly address: { readonly url: string }
}

export type Imports = ReturnType<typeof createImports>

export function createImports({ store, clock, noPassword, passwords, address }: Dependencies) {
  return {
    /**
     * Creates and changes people as the rows say, the first of which names the columns: all of it or nothing. Only
     * cells that are not blank change anything; passwords and balances are never touched. A changed e-mail address ends
     * that user's refresh, reset and invitation tokens.
     * @throws DomainError `not_superuser`, `invalid` (naming every row that is wrong, unless it is a dry run)
     */
    async run(actor: Actor, table: readonly (readonly string[])[], options: ImportOptions): Promise<ImportResult> {
      requireSuperuser(actor)
      const { rows, faults } = rowsOf(table, maxImportRows)
      const keys = keysOf(rows)
      const depts = (await store.people.departments()).map(({ name }) => name)
      const planned = (matching: readonly User[]) =>
        planMerge({ rows, matching, depts, noPassword, ownUrl: address.url })
      if (options.dryRun) return resultOf(planned(await store.users.matching(keys)), faults)

      let result: ImportResult | undefined
      await store.users.merge(keys, (matching) => {
        const plan = planned(matching)
        result = resultOf(plan, faults)
        if (result.errors.length > 0) throw refusal(result.errors)
        return changesOf(plan, actor, options)
      })
      if (options.invite) passwords.onEnqueue()
      return result ?? { created: 0, updated: 0, unchanged: 0, errors: [] }
    },
  }

  function changesOf(plan: MergePlan, actor: Actor, { invite }: ImportOptions): UserChanges {
    const at = clock()
    const { created, updated, unchanged } = resultOf(plan, [])
    const detail = `${created} created, ${updated} updated, ${unchanged} unchanged`
    return {
      create: plan.create,
      update: plan.update.map(({ after }) => after),
      entries: [
        auditEntry(actor, at, "users_imported", { detail }),
        ...plan.create.map(({ username, dept }) =>
          auditEntry(actor, at, "user_created", { whom: username, detail: dept }),
        ),
        ...plan.update.flatMap(({ before, after, columns }) => [
          ...(before.dept === after.dept
            ? []
            : [
                auditEntry(actor, at, "dept_changed", {
                  whom: after.username,
                  detail: `${before.dept} -> ${after.dept}`,
                }),
              ]),
          ...(columns.length === 0
            ? []
            : [auditEntry(actor, at, "profile_changed", { whom: after.username, detail: columns.join(", ") })]),
        ]),
      ],
      jobs: invite ? plan.create.map(({ email }) => passwords.invitationTo(email)) : [],
    }
  }
}

const keysOf = (rows: readonly ImportRow[]): UserKeys => ({
  usernames: rows.map(({ username }) => username),
  emails: rows.flatMap(({ cells: { email } }) => (email === undefined ? [] : [email])),
})

function resultOf({ create, update, unchanged, faults }: MergePlan, before: readonly ImportFault[]): ImportResult {
  const errors = [...before, ...faults].sort((a, b) => a.row - b.row)
  return { created: create.length, updated: update.length, unchanged, errors }
}

const refusal = (errors: readonly ImportFault[]) =>
  new DomainError("invalid", errors.map(({ row, detail }) => `row ${row}, ${detail}`).join("; "))
