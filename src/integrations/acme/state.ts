import { mkdirSync, readFileSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { join } from "node:path"
import { problemOf, systemCodeOf, UnusableFile } from "../../support/system-errors.ts"

/** What the server keeps between starts about its certificates. */
export interface AcmeState {
  /** The key of the account at the authority, as PEM. */
  readonly accountKey: string
  readonly certificate: StoredCertificate | null
  /** The latest attempt to get a certificate; null before the first. */
  readonly attempt: Attempt | null
}

export interface StoredCertificate {
  /** With its chain, as PEM. */
  readonly cert: string
  readonly key: string
  /** The names and the ACME directory for which it was requested. */
  readonly domains: readonly string[]
  readonly directory: string
}

export interface Attempt {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What it asked for. */
  readonly domains: readonly string[]
  readonly directory: string
  /** How many attempts before this one failed, one after the other. */
  readonly failedBefore: number
  /** Null when it succeeded, and while it is under way. */
  readonly failure: AttemptFailure | null
}

interface AttemptFailure {
  readonly problem: string
  readonly cure: string
  /** Until when the authority wants to be left alone, in milliseconds since the epoch; null when it does not say. */
  readonly notBefore: number | null
  /** Whether the authority may have counted it. */
  readonly isCounted: boolean
}

export const statePath = (folder: string): string => join(folder, "acme.json")

/** Null when there is none yet. @throws UnusableFile */
export function readState(folder: string): AcmeState | null {
  const path = statePath(folder)
  try {
    return JSON.parse(readFileSync(path, "utf8")) as AcmeState
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return null
    const problem =
      error instanceof SyntaxError ? "it is damaged; remove it, and the server begins again" : problemOf(error)
    throw new UnusableFile(`server.state_dir: ${path} cannot be used: ${problem}`, { cause: error })
  }
}

/** Replaces the file as a whole. Only its owner may read it. @throws system errors */
export async function writeState(folder: string, state: AcmeState): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = statePath(folder)
  const file = await open(`${path}.new`, "w", 0o600)
  try {
    await file.writeFile(`${JSON.stringify(state, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}
