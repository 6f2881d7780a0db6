import type { ServerApp } from "../../app/server-app.ts"
import { type Config, defaultAdminPassword, type SecretlessConfig } from "../../config/settings.ts"
import { adminUsername } from "../../domain/people/users.ts"
import { isShorterThan } from "../../domain/text.ts"
import { isCommonPassword } from "../../security/common-passwords.ts"
import { fileMaintenanceOf } from "../../storage/open.ts"
import { Refusal } from "./failures.ts"

/**
 * Whether `open` will refuse the password of admin. Checks only a database file; PostgreSQL is checked once it is open.
 */
export async function willRefuseAdmin({ server, security, db: { path, url } }: SecretlessConfig): Promise<boolean> {
  if (server.profile !== "production" || url !== null) return false
  try {
    const database = await fileMaintenanceOf(path)
    const diagnosis = await database.diagnose({ now: 0, dueBy: 0, expiringBy: 0, verifyMb: 0 })
    if (diagnosis === null) return security.admin_password === defaultAdminPassword
    const { adminPassword } = diagnosis
    return adminPassword !== null && (await Bun.password.verify(defaultAdminPassword, adminPassword))
  } catch {
    return false // problems with the database itself are reported when it is opened
  }
}

export async function refuseWeakFirstPassword({
  security: { admin_password: first, password_min_length: least },
}: Config) {
  if (first === defaultAdminPassword) throw defaultPasswordRefused()
  if (isShorterThan(first, least) || (await isCommonPassword(first)))
    throw new Refusal(
      `security.admin_password: production does not start with this first password of admin; choose one of at least ` +
        `${least} characters that is not among the most common passwords`,
    )
}

export async function warnOfDefaultPassword(app: ServerApp) {
  if (await hasDefaultPassword(app)) app.log.warn(defaultPasswordWarning)
}

export const defaultPasswordWarning =
  "security.admin_password: admin has the default password; production refuses to start with it"

export async function hasDefaultPassword({ store }: ServerApp): Promise<boolean> {
  const admin = await store.users.byUsername(adminUsername)
  // An unreadable hash matches no password.
  return admin !== null && Bun.password.verify(defaultAdminPassword, admin.password).catch(() => false)
}

export const defaultPasswordRefused = () =>
  new Refusal(
    "security.admin_password: production does not start while admin has the default password; set it before the " +
      "database is created, or change it with `rewards user set-password admin`",
  )
