import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The databases that releases wrote, in one folder for each release. It does not exist before the first release. */
export const recordings = join(import.meta.dir, "databases")

/**
 * How the server ended: normally, or killed at work, when the write-ahead log holds data that is not in the file yet.
 */
export const endings = ["closed", "killed"] as const

export type Ending = (typeof endings)[number]

/** The files of a database, as suffixes of its name. */
export const suffixes = { closed: [""], killed: ["", "-wal"] } as const satisfies Record<Ending, readonly string[]>

/** Data about the database that a release wrote. */
export interface Told {
  /** Milliseconds since the epoch. Tokens and session were issued then, with the default lifetimes. */
  readonly writtenAt: number
  /** The key that signed the tokens. */
  readonly secretKey: string
  /** By username. */
  readonly passwords: Readonly<Record<string, string>>
  /** Valid tokens of `admin`. */
  readonly tokens: { readonly access_token: string; readonly refresh_token: string }
  /** A valid session of Ana. */
  readonly sessionId: string
  /** A valid reset token of Ana, and one with which Bruno has set a password. */
  readonly resetTokens: { readonly good: string; readonly spent: string }
  /** The user whose reset mail was still waiting to be sent. */
  readonly waitingMailTo: string
  /** The answers to `admin`, by path. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const releases = existsSync(recordings) ? readdirSync(recordings).sort() : []

export const toldIn = (folder: string): Told => JSON.parse(readFileSync(join(folder, "told.json"), "utf8")) as Told

/** Copies the database in `folder` with this ending to `path`. */
export async function unpack(folder: string, ending: Ending, path: string) {
  for (const suffix of suffixes[ending]) {
    const packed = await Bun.file(join(folder, `${ending}.db${suffix}.gz`)).bytes()
    await Bun.write(path + suffix, Bun.gunzipSync(packed))
  }
}
