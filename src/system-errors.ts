import { statSync } from "node:fs"
import { dirname } from "node:path"

/** A file that the operator named cannot be used. The message is whole and names the cure. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile"
}

/** The code of a system error, such as `ENOENT`; empty when it is another's. */
export const systemCodeOf = (error: unknown): string =>
  error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : ""

/** The code of the error at the root, such as SQLITE_FULL or EACCES, else its name. Never the message, which may name
 *  files. */
export function rootCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error.cause instanceof Error) return rootCodeOf(error.cause)
  return "code" in error ? String(error.code) : error.name
}

/** In the operator's words. */
export interface Problem {
  readonly problem: string
  /** Null where the problem says it, or nobody knows. */
  readonly cure: string | null
}

/** What a failed command tells of a system error: the file, what is wrong with it and the cure. */
export function describe(error: Error): string {
  if (!("path" in error) || typeof error.path !== "string") return problemOf(error)
  const isWrite = "syscall" in error && error.syscall === "mkdir"
  return `${error.path}: ${isWrite ? writeProblemOf(error, error.path) : problemOf(error)}`
}

/** Problem and cure, to stand behind the name of the file or server; `otherwise` where the code is not known. */
export function problemOf(error: unknown, otherwise?: string): string {
  const { problem, cure } = explained(error, otherwise)
  return cure === null ? problem : `${problem}; ${cure}`
}

/** The same for a file that was to be created or changed: it makes a difference whether its folder is there. */
export function writeProblemOf(error: unknown, path: string): string {
  const code = systemCodeOf(error)
  const folder = dirname(path)
  if (["ENOENT", "EACCES", "EPERM"].includes(code) && isMissing(folder))
    return `there is no folder ${folder}; create it first`
  if (code !== "EACCES" && code !== "EPERM") return problemOf(error)
  return isMissing(path)
    ? `this user may not write to the folder ${folder}; give the folder to this user, or choose another one`
    : "this user may not write to it; give it to this user, or choose another one"
}

/** What is known of the error by its code; `otherwise`, or else the error's own message, where nothing is. */
export function explained(error: unknown, otherwise?: string): Problem {
  const message = otherwise ?? (error instanceof Error ? error.message : String(error))
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const [problem, cure = null] = problems[code] ?? [message]
  return { problem, cure }
}

const notAllowed = ["permission denied", "give this user the right to use it, or run the command as its owner"] as const
const refused = ["connection refused", "see that the server runs, and its address and port"] as const
const unreachable = ["it cannot be reached", "see the address, the network and a firewall on the way"] as const
const untrusted = ["its certificate comes from an authority that is not trusted"] as const

/** By the code of the error: what is wrong, and what an operator can do about it. */
const problems: Readonly<Record<string, readonly [problem: string, cure?: string]>> = {
  ENOENT: ["there is no such file"],
  ENOTDIR: ["a folder in its path is a file", "choose another path"],
  EEXIST: ["a file of that name exists already", "choose another path"],
  EISDIR: ["it is a folder", "name a file"],
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: ["the file system is read-only", "choose a path on another one"],
  ENOSPC: ["the disk is full", "free space on it"],
  EDQUOT: ["this user's share of the disk is full", "free space on it"],
  EIO: ["the disk cannot be read or written", "look at the system's log"],
  EMFILE: ["too many files are open", "raise the limit of open files (ulimit -n)"],
  ENFILE: ["too many files are open on this machine", "end other programs"],
  ENAMETOOLONG: ["its name is too long", "choose a shorter one"],
  ELOOP: ["its symbolic links form a loop", "name the file itself"],
  ERR_ENCODING_INVALID_ENCODED_DATA: ["it is not UTF-8"],

  ECONNREFUSED: refused,
  ECONNRESET: ["the connection was closed", "see what listens there"],
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: ["the name is not known", "check its spelling, and that this machine can look up names"],
  EAI_AGAIN: ["the name cannot be looked up", "see that this machine reaches its name server"],

  CERT_HAS_EXPIRED: ["its certificate has expired", "renew it"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["its certificate is for another name"],
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
