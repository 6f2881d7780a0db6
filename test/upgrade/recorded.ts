import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Where what releases wrote is kept, a folder for each. There is none before the first release. */
export const recordings = join(import.meta.dir, "databases")

/** Closed in order, or killed at work: then the write-ahead log holds what is not in the file yet. */
export const endings = ["closed", "killed"] as const

export type Ending = (typeof endings)[number]

/** The files of a database, by what stands behind its name. */
export const suffixes = { closed: [""], killed: ["", "-wal"] } as const satisfies Record<Ending, readonly string[]>

/** What a release told of the database that it wrote. */
export interface Told {
  /** Milliseconds since the epoch. Tokens and session live by the default settings from here. */
  readonly writtenAt: number
  /** The key that signed the tokens. */
  readonly secretKey: string
  /** By username. */
  readonly passwords: Readonly<Record<string, string>>
  /** Good ones of `admin`. */
  readonly tokens: { readonly access_token: string; readonly refresh_token: string }
  /** A good session of Ana. */
  readonly sessionId: string
  /** A good reset token of Ana, and one with which Bruno has set a password. */
  readonly resetTokens: { readonly good: string; readonly spent: string }
  /** Whose reset mail was still waiting to be sent. */
  readonly waitingMailTo: string
  /** What `admin` was answered, by path. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const releases = existsSync(recordings) ? readdirSync(recordings).sort() : []

export const toldIn = (folder: string): Told => JSON.parse(readFileSync(join(folder, "told.json"), "utf8")) as Told

/** Puts the database that `folder` keeps, as it ended, at `path`. */
export async function unpack(folder: string, ending: Ending, path: string) {
  for (const suffix of suffixes[ending]) {
    const packed = await Bun.file(join(folder, `${ending}.db${suffix}.gz`)).bytes()
    await Bun.write(path + suffix, Bun.gunzipSync(packed))
  }
}
