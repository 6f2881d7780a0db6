import { existsSync } from "node:fs"
import { ConfigError } from "../config/load.ts"
import type { Config, SecretlessConfig } from "../config/settings.ts"
import { defaultAdminPassword } from "../config/settings.ts"
import { adminUsername } from "../domain/people/users.ts"
import { diagnose } from "../storage/sqlite/maintenance/diagnose.ts"

/**
 * Settings to serve with.
 * @throws ConfigError with everything that stops the start; in production a default password of admin too, when there is
 * more to change than that
 */
export async function configToServe(load: () => Config): Promise<Config> {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof ConfigError) || !error.draft || !(await refusesAdmin(error.draft))) throw error
    throw new ConfigError([...error.faults, defaultPassword])
  }
}

const defaultPassword = {
  path: "security.admin_password",
  source: "the password that admin has",
  expected: "another than the default; once there is a database, `rewards set-password admin` sets it",
}

async function refusesAdmin({ server, security, db: { path } }: SecretlessConfig): Promise<boolean> {
  if (server.profile !== "production") return false
  if (!existsSync(path)) return security.admin_password === defaultAdminPassword
  // A database that cannot be looked at, or a hash that cannot be read, is told by the start itself.
  return Promise.try(() => diagnose({ path, adminUsername, dueBy: 0, verifyMb: 0 }))
    .then(({ adminPassword }) => adminPassword !== null && Bun.password.verify(defaultAdminPassword, adminPassword))
    .catch(() => false)
}
