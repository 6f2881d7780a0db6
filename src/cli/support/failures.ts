import { ConfigError } from "../../config/load.ts"
import { DatabaseDamaged } from "../../domain/damage.ts"
import { DomainError } from "../../domain/errors.ts"
import { OffSiteFailure } from "../../integrations/s3/failure.ts"
import { CopyRefused } from "../../storage/copy/copy.ts"
import { BackupRefused } from "../../storage/maintenance.ts"
import { asUnusable, databaseName } from "../../storage/open.ts"
import { DatabaseUnusable } from "../../storage/open-store.ts"
import { describe, systemCodeOf, UnusableFile } from "../../support/system-errors.ts"

/** The command line is invalid: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** The command is valid but cannot be carried out: exit status 1. The message names the cure. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}

/** The message of a failed command. For an unexpected error, its stack. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return `the configuration cannot be used:\n${indented(error.message)}`
  if (!(error instanceof Error)) return String(error)
  if (systemCodeOf(error) !== "") return describe(error)
  if (error instanceof DomainError && error.code === "outcome_unknown")
    return "the database did not say whether this was stored; look before you repeat it"
  const isExpected = [
    DomainError,
    DatabaseDamaged,
    Refusal,
    UsageError,
    BackupRefused,
    OffSiteFailure,
    CopyRefused,
    UnusableFile,
  ].some((kind) => error instanceof kind)
  return isExpected ? error.message : (error.stack ?? error.message)
}

/** Runs `work`, which uses this database. If the database cannot be used, throws a Refusal that names it. */
export async function usingDatabase<T>(db: Parameters<typeof databaseName>[0], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = asUnusable(error, db)
    if (!(reason instanceof DatabaseUnusable)) throw error
    throw new Refusal(`cannot use the database ${databaseName(db)}: ${reason.message}`, { cause: error })
  }
}

/** The reader of the output has gone, as in `rewards user-list | head -1`. */
export const isClosedPipe = (error: unknown): boolean => systemCodeOf(error) === "EPIPE"

const indented = (lines: string): string => lines.replace(/^/gm, "  ")
