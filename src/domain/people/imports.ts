import { auditEntry } from "../audit-log.ts"
import type { Passwords } from "../auth/passwords.ts"
import { type Actor, requireSuperuser } from "../auth/roles.ts"
import { DomainError } from "../errors.ts"
import type { Clock, User, UserChanges, UserKeys } from "../model.ts"
import type { Store } from "../store.ts"
import { type Change, type MergePlan, planMerge } from "./import-plan.ts"
import { type ImportFault, type ImportRow, maxFaults, rowsOf } from "./import-rows.ts"
import { renaming } from "./users.ts"

/** People of one file, which become one commit. */
export const maxImportRows = 20_000
/** Bytes of the file. */
export const maxImportBytes = 10_000_000

/** Looked up between two ticks. */
const rowsAtOnce = 500
/** How often a plan is made anew because people changed meanwhile, and when another try is worth it then. */
const maxAttempts = 3
const retryAfterSeconds = 5

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
     * that user's refresh, reset and invitation tokens. Reading and planning take turns with everything else; only the
     * commit does not.
     * @throws DomainError `not_superuser`, `invalid` (naming the rows that are wrong, unless it is a dry run),
     *   `unwritable` (people kept changing meanwhile)
     */
    async run(actor: Actor, table: readonly (readonly string[])[], options: ImportOptions): Promise<ImportResult> {
      requireSuperuser(actor)
      const { rows, faults } = await rowsOf(table, maxImportRows)
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const depts = (await store.people.departments()).map(({ name }) => name)
        const matching = await matchingOf(rows)
        const plan = await planMerge({ rows, matching, depts, noPassword, ownUrl: address.url })
        const result = resultOf(plan, faults)
        if (options.dryRun) return result
        if (result.errors.length > 0) throw refusal(result.errors)
        if (!(await store.users.merge(changesOf(plan, actor, options)))) continue
        if (options.invite) passwords.onEnqueue()
        return result
      }
      throw new DomainError("unwritable", undefined, retryAfterSeconds)
    },
  }

  /** Those whom the rows name. Read piece by piece: others have their turn in between. */
  async function matchingOf(rows: readonly ImportRow[]): Promise<User[]> {
    const found = new Map<number, User>()
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const keys = keysOf(rows.slice(from, from + rowsAtOnce))
      for (const user of await store.users.matching(keys)) found.set(user.id, user)
      await new Promise(setImmediate)
    }
    return [...found.values()]
  }

  function changesOf(plan: MergePlan, actor: Actor, { invite }: ImportOptions): UserChanges {
    const at = clock()
    const { created, updated, unchanged } = resultOf(plan, [])
    const detail = `${created} created, ${updated} updated, ${unchanged} unchanged`
    return {
      create: plan.create,
      update: plan.update,
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
            : [
                auditEntry(actor, at, "profile_changed", {
                  whom: after.username,
                  detail: detailOf(before, after, columns),
                }),
              ]),
        ]),
      ],
      jobs: invite ? plan.create.map(({ email }) => passwords.invitationTo(email)) : [],
    }
  }
}

const detailOf = (before: User, after: User, columns: Change["columns"]): string =>
  columns.map((column) => (column === "name" ? renaming(before.name, after.name) : column)).join(", ")

const keysOf = (rows: readonly ImportRow[]): UserKeys => ({
  usernames: rows.map(({ username }) => username),
  emails: rows.flatMap(({ cells: { email } }) => (email === undefined ? [] : [email])),
})

function resultOf({ create, update, unchanged, faults }: MergePlan, before: readonly ImportFault[]): ImportResult {
  const errors = [...before, ...faults].sort((a, b) => a.row - b.row).slice(0, maxFaults)
  return { created: create.length, updated: update.length, unchanged, errors }
}

const refusal = (errors: readonly ImportFault[]) =>
  new DomainError("invalid", errors.map(({ row, detail }) => `row ${row}, ${detail}`).join("; "))
