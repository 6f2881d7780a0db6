import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { type App, createApp } from "../../app/app.ts"
import { auditEntry } from "../../domain/audit/audit-log.ts"
import type { AuditAction } from "../../domain/audit/ports.ts"
import { DomainError } from "../../domain/errors.ts"
import { usernameKey } from "../../domain/people/fields.ts"
import type { User } from "../../domain/people/model.ts"
import type { Actor } from "../../domain/people/roles.ts"
import type { Store } from "../../domain/store.ts"
import type { Maintenance } from "../../storage/maintenance.ts"
import { fileMaintenanceOf } from "../../storage/open.ts"
import { DatabaseUnusable } from "../../storage/open-store.ts"
import { createLog, type Log } from "../../support/log.ts"
import { argument } from "./arguments.ts"
import { type CommandContext, configOf, type FileArgs } from "./command.ts"
import { Refusal, usingDatabase } from "./failures.ts"
import { visible } from "./terminal.ts"

/**
 * Runs `work` on the app and closes the database afterwards. Needs no secret. Says so if there was no database: somebody
 * who works on one that exists is in the wrong folder.
 */
export function withApp<T>(context: CommandContext, args: FileArgs, work: (app: App) => Promise<T>): Promise<T> {
  const { db } = configOf(context, args)
  return usingDatabase(db, async () => {
    await refuseMistyped(context, args)
    const path = resolve(context.cwd, db.path)
    const isNew = db.url === null && !existsSync(path)
    return withNewApp(context, args, (app) => {
      if (isNew) context.printError(`There was no database; this command made a new one: ${visible(path)}`)
      return work(app)
    })
  })
}

/**
 * Like `withApp`, for work whose audit entries name the operator. Escapes the message of a refusal, which may contain
 * names as they were typed.
 */
export const withOperator = <T>(
  context: CommandContext,
  args: FileArgs,
  work: (app: App, by: Operator) => Promise<T>,
): Promise<T> =>
  withApp(context, args, (app) =>
    work(app, operatorOf(context)).catch((error: unknown) => {
      throw error instanceof DomainError ? new Refusal(visible(error.message)) : error
    }),
  )

/** Like `withApp`, for commands that may create the database file that --db names. */
export function withNewApp<T>(context: CommandContext, args: FileArgs, work: (app: App) => Promise<T>): Promise<T> {
  const config = configOf(context, args)
  return usingDatabase(config.db, async () => {
    const log = errorsOnly(createLog((lines) => context.printError(lines.trimEnd())))
    const app = await createApp(config, { log, clock: context.now, onMigrating: context.printError })
    try {
      return await work(app)
    } finally {
      await app.close()
      await log.written()
    }
  })
}

/** Prevents a mistyped --db from creating a new, empty database. @throws DatabaseUnusable */
export async function refuseMistyped({ cwd }: CommandContext, { db }: FileArgs): Promise<void> {
  if (db === undefined || existsSync(resolve(cwd, db))) return
  const database = await fileMaintenanceOf(resolve(cwd, db))
  database.refuseLost()
  throw new DatabaseUnusable(`there is no such file; check --db, or create it with \`rewards migrate\``)
}

/** Drops log lines other than errors, because a command prints its own result. */
export const errorsOnly = (log: Log): Log => ({ ...log, info() {}, warn() {} })

/** The person at the command line, for the audit log. */
export interface Operator extends Actor {
  readonly who: string
}

/** Names the user who called sudo, if any, and the address that an SSH connection comes from. */
export const operatorOf = ({ env, user }: Pick<CommandContext, "env" | "user">): Operator => ({
  user: null,
  who: env.SUDO_USER || user,
  way: "command line",
  address: env.SSH_CONNECTION?.split(" ")[0] || null,
})

/** A person on the command line, for `userNamed`. */
export const userArg = argument("Username or e-mail address")

/** The user of this username, or else of this e-mail address. @throws Refusal when there is no such user */
export async function userNamed(store: Pick<Store, "users">, name: string): Promise<User> {
  const user = await findUser(store, name)
  if (user) return user
  const owner = await store.users.formerly(usernameKey(name), 0)
  const hint = owner === null ? "" : `; ${visible(owner.username)} had this username before`
  throw new Refusal(`User not found: ${visible(name)}${hint}`)
}

/** The usernames of these people. A name of nobody stays as it is: the use case reports all of them. */
export async function usernamesOf(store: Pick<Store, "users">, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map(async (name) => (await findUser(store, name))?.username ?? name))
}

const findUser = async ({ users }: Pick<Store, "users">, name: string): Promise<User | null> =>
  (await users.byUsername(usernameKey(name))) ?? (await users.byEmail(name))

interface Action {
  readonly database: Pick<Maintenance, "recordAudit">
  readonly action: AuditAction
  readonly detail: string
}

/**
 * Adds an entry to the audit log of a database that this process has not opened as an app. A failure is only reported,
 * because the action itself is done.
 */
export async function recordAction({ database, action, detail }: Action, context: CommandContext): Promise<void> {
  try {
    await database.recordAudit(auditEntry(operatorOf(context), context.now(), action, { detail }))
  } catch (error) {
    context.printError(`the audit log could not be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}
