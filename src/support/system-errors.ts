import { statSync } from "node:fs"
import { dirname } from "node:path"

/** A file that the operator named cannot be used. The message is complete, and says what to do. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile"
}

/** The code of a system error, such as `ENOENT`; empty for any other error. */
export const systemCodeOf = (error: unknown): string =>
  error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : ""

/**
 * The code of the root cause, such as SQLITE_FULL or EACCES, or else its name. Never the message, which may name files.
 */
export function rootCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error.cause instanceof Error) return rootCodeOf(error.cause)
  return "code" in error ? String(error.code) : error.name
}

/** A problem in words that an operator understands. */
interface Problem {
  readonly problem: string
  /** What the operator can do; null when the problem implies it, or when nothing is known. */
  readonly cure: string | null
}

/** The message for a system error: the file, the problem and the cure. */
export function describe(error: Error): string {
  if (!("path" in error) || typeof error.path !== "string") return problemOf(error)
  const isWrite = "syscall" in error && error.syscall === "mkdir"
  return `${error.path}: ${isWrite ? writeProblemOf(error, error.path) : problemOf(error)}`
}

/** Problem and cure, worded to follow the name of a file or server; `otherwise` when the code is unknown. */
export function problemOf(error: unknown, otherwise?: string): string {
  const { problem, cure } = explained(error, otherwise)
  return cure === null ? problem : `${problem}; ${cure}`
}

/** The problem if the file system is read-only, where the owner of a file does not matter; undefined for any other error. */
export const readOnlyProblemOf = (error: unknown): string | undefined =>
  systemCodeOf(error) === "EROFS" ? problemOf(error) : undefined

/** Like `problemOf`, for a file that could not be created or changed. Names the folder if that is the cause. */
export function writeProblemOf(error: unknown, path: string): string {
  const code = systemCodeOf(error)
  const folder = dirname(path)
  if (["ENOENT", "EACCES", "EPERM"].includes(code) && isMissing(folder))
    return `there is no folder ${folder}; create it first`
  if (code !== "EACCES" && code !== "EPERM") return problemOf(error)
  return isMissing(path)
    ? `this user may not write to the folder ${folder}; ${ownerCure(folder)}`
    : `this user may not write to it; ${ownerCure(path)}`
}

/** How the user of this process may write to a file or folder that belongs to somebody else: in a container both are only numbers. */
export function ownerCure(path: string, owner = ownerOf(path), own = process.getuid?.()): string {
  if (own === undefined || owner === undefined || owner === own)
    return "give this user the right to write, or choose another one"
  return `it belongs to user id ${owner}, and this process runs as ${own}: run \`chown -R ${own} ${path}\` as root, or this program as user id ${owner}`
}

/**
 * Problem and cure for the error's code. For an unknown code the problem is `otherwise`, or the error's own message.
 */
export function explained(error: unknown, otherwise?: string): Problem {
  const message = otherwise ?? (error instanceof Error ? error.message : String(error))
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
  const [problem, cure = null] = problems[code] ?? [message]
  return { problem, cure }
}

const notAllowed = ["permission denied", "give this user the right to use it, or run the command as its owner"] as const
const refused = ["connection refused", "check that the server runs, its address and its port"] as const
const unreachable = ["it cannot be reached", "check the address, the network and firewalls"] as const
const noTls = [
  "it does not speak TLS at this port",
  "check the port, and whether the address begins with https",
] as const
const untrusted = [
  "its certificate was issued by an authority that is not trusted",
  "get one of a known authority, or name the file of this one in the setting for it",
] as const

/** Whether a TLS certificate was refused because nothing here knows its authority. */
export const isUntrusted = (error: unknown): boolean =>
  error instanceof Error && "code" in error && problems[String(error.code)] === untrusted

/** Problem and cure by error code. */
const problems: Readonly<Record<string, readonly [problem: string, cure?: string]>> = {
  ENOENT: ["there is no such file"],
  ENOTDIR: ["a folder in its path is a file", "choose another path"],
  EEXIST: ["a file of that name exists already", "choose another path"],
  EISDIR: ["it is a folder", "name a file"],
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: ["the file system is read-only", "choose a path on another one"],
  ENOSPC: ["the disk is full", "free space on it"],
  EDQUOT: ["this user's disk quota is used up", "free space on it"],
  EIO: ["the disk cannot be read or written", "see the system log"],
  EMFILE: ["too many files are open", "raise the limit of open files (ulimit -n)"],
  ENFILE: ["too many files are open on this machine", "end other programs"],
  ENAMETOOLONG: ["its name is too long", "choose a shorter one"],
  ELOOP: ["its symbolic links form a loop", "name the file itself"],
  ERR_ENCODING_INVALID_ENCODED_DATA: ["it is not UTF-8"],

  ECONNREFUSED: refused,
  ECONNRESET: ["the connection was closed", "check which program listens there"],
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: ["the name is unknown", "check its spelling and the DNS settings of this machine"],
  EAI_AGAIN: ["the name cannot be looked up", "check that this machine reaches its DNS server"],

  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  CERT_HAS_EXPIRED: ["its certificate has expired", "renew it"],
  CERT_NOT_YET_VALID: ["its certificate is not valid yet", "check the clocks of both machines"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["its certificate is for another name", "use a name in it, or get one for this name"],
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
}

const ownerOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.uid

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
