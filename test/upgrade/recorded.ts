import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Place } from "../support/database.ts"
import { temporaryFolder } from "../support/executable.ts"
import { copyOf, type TestDatabase, testDatabase } from "../support/postgres.ts"
import { restore } from "./rows.ts"

/** The databases that releases wrote, in one folder for each release. Nothing in them ever changes. */
export const recordings = join(import.meta.dir, "databases")

export const releases = existsSync(recordings) ? readdirSync(recordings).sort() : []

export type StoreName = "sqlite" | "postgresql"

/**
 * How the server left a database: closed, or killed at work, when sessions and jobs are under way, and on SQLite the WAL
 * holds data that is not in the file yet. On PostgreSQL the two differ in nothing that a file would show.
 */
export const states = ["sqlite-closed", "sqlite-killed", "postgresql-killed"] as const

export type State = (typeof states)[number]

export const storeOf = (state: State): StoreName => (state === "postgresql-killed" ? "postgresql" : "sqlite")

/** The files of a SQLite database, as suffixes of its name. */
export const suffixes = { "sqlite-closed": [""], "sqlite-killed": ["", "-wal"] } as const

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
  /** A valid session of Noemi. */
  readonly sessionId: string
  /** A valid reset token of Noemi, and one with which Otto has set a password. */
  readonly resetTokens: { readonly good: string; readonly spent: string }
  /** What Noemi asked for under idempotency keys, and the answer when she repeated it. */
  readonly requests: readonly Repeatable[]
  /** A person who logs in with one-time codes; `secret` is in base 32. */
  readonly secondFactor: {
    readonly username: string
    readonly password: string
    readonly secret: string
    readonly recoveryCode: string
  }
  /** The user whose reset mail was still waiting to be sent. */
  readonly waitingMailTo: string
  /** The answers to `admin`, by path. */
  readonly answers: Readonly<Record<string, unknown>>
}

export interface Repeatable {
  readonly key: string
  readonly path: string
  readonly json: unknown
  readonly body: unknown
}

export const toldIn = (folder: string, store: StoreName): Told =>
  JSON.parse(unpacked(join(folder, `${store}.json.zst`)).toString()) as Told

/** SHA-256 of each migration of a release, by tag, in their order. */
export type Hashes = Readonly<Record<StoreName, Readonly<Record<string, string>>>>

export const hashesIn = (folder: string): Hashes =>
  JSON.parse(readFileSync(join(folder, "migrations.json"), "utf8")) as Hashes

/** A database like the one that was recorded in `folder`, in a folder of its own, for one test. */
export async function open(folder: string, state: State): Promise<{ cwd: string; place: Place } & AsyncDisposable> {
  const { path: cwd, ...made } = await temporaryFolder()
  const path = join(cwd, "rewards.db")
  if (state === "postgresql-killed") {
    const database = await copyOf(await restoredFrom(folder))
    return {
      cwd,
      place: { path, url: database.url },
      async [Symbol.asyncDispose]() {
        await Promise.all([made[Symbol.asyncDispose](), database[Symbol.asyncDispose]()])
      },
    }
  }
  for (const suffix of suffixes[state])
    writeFileSync(path + suffix, unpacked(join(folder, `${state}.db${suffix}.zst`)), { mode: 0o600 })
  return { cwd, place: { path, url: null }, [Symbol.asyncDispose]: made[Symbol.asyncDispose] }
}

/** By folder, so that each is restored once and then copied. */
const restored = new Map<string, Promise<TestDatabase>>()

function restoredFrom(folder: string): Promise<TestDatabase> {
  const known = restored.get(folder) ?? restoredAgain(folder)
  restored.set(folder, known)
  return known
}

async function restoredAgain(folder: string): Promise<TestDatabase> {
  const database = await testDatabase()
  await restore(database.url, unpacked(join(folder, "postgresql.rows.zst")).toString())
  return database
}

export function pack(path: string, content: Buffer | string) {
  writeFileSync(`${path}.zst`, Bun.zstdCompressSync(content, { level: 19 }))
}

const unpacked = (path: string): Buffer => Bun.zstdDecompressSync(readFileSync(path))
