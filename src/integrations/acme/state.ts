import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
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
    const state: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (isState(state)) return state
    throw new SyntaxError("it is no state")
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return null
    const problem =
      error instanceof SyntaxError ? "it is damaged; remove it, and the server begins again" : problemOf(error)
    throw new UnusableFile(`server.state_dir: ${path} cannot be used: ${problem}`, { cause: error })
  }
}

function isState(value: unknown): value is AcmeState {
  if (!isObject(value)) return false
  const { accountKey, certificate, attempt } = value
  return keyIn(accountKey) !== null && isNullOr(isCertificate, certificate) && isNullOr(isAttempt, attempt)
}

function isCertificate(value: unknown): boolean {
  if (!isObject(value) || !isAsked(value)) return false
  const key = keyIn(value.key)
  try {
    return key !== null && new X509Certificate(String(value.cert)).checkPrivateKey(key)
  } catch {
    return false
  }
}

const isAttempt = (value: unknown): boolean =>
  isObject(value) &&
  isAsked(value) &&
  Number.isFinite(value.at) &&
  Number.isInteger(value.failedBefore) &&
  isNullOr(isFailure, value.failure)

const isFailure = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.problem === "string" &&
  typeof value.cure === "string" &&
  typeof value.isCounted === "boolean" &&
  isNullOr(Number.isFinite, value.notBefore)

/** Whether it says which names were asked for, and where. */
const isAsked = ({ domains, directory }: Fields): boolean =>
  Array.isArray(domains) && domains.every((domain) => typeof domain === "string") && typeof directory === "string"

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

const isNullOr = (is: (value: unknown) => boolean, value: unknown): boolean => value === null || is(value)

/** A private key on P-256, which is all that this server makes; null for anything else. */
function keyIn(pem: unknown): KeyObject | null {
  try {
    const key = createPrivateKey(String(pem))
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : null
  } catch {
    return null
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
