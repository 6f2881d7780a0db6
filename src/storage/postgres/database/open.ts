import { accessSync, constants } from "node:fs"
import type { DatabaseUrl } from "../../../config/database-url.ts"
import { DomainError } from "../../../domain/errors.ts"
import type { Log } from "../../../support/log.ts"
import { explained, problemOf, rootCodeOf } from "../../../support/system-errors.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { type Client, createClient } from "./client.ts"
import type { ConnectionMode, ServerFacts } from "./connection.ts"
import { cureOf } from "./errors.ts"
import { migrate } from "./migrations.ts"

const leastVersion = 14

/** How long to wait for another command that is about to end, or until the server notices that a process has died. */
const lockWithinMs = 3000

interface OpenOptions {
  readonly url: DatabaseUrl
  readonly poolSize: number
  readonly now: number
  readonly log: Log
  /** Called with a text at each step of a migration of an existing database. */
  readonly onMigrating: (text: string) => void
}

/** A client of a database that is up to date, and the tags of the migrations that this opening applied. */
interface OpenedDatabase {
  readonly client: Client
  readonly migrated: readonly string[]
}

/** Connects, checks that the server can hold the data, and applies missing migrations.
 *  @throws DatabaseUnusable with the cure */
export function openDatabase({ now, onMigrating, ...options }: OpenOptions): Promise<OpenedDatabase> {
  return connected(options, async (client) => ({ client, migrated: await migrate(client, { now, tell: onMigrating }) }))
}

interface ConnectOptions extends Pick<OpenOptions, "url" | "poolSize" | "log"> {
  readonly mode?: ConnectionMode
}

async function connected<T>(options: ConnectOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const { url, mode } = options
  refuseMissingCertificates(url)
  for (const deadline = Bun.nanoseconds() + lockWithinMs * 1e6; ; ) {
    const client = createClient(options)
    try {
      refuseUnfit(await client.server())
      return await work(client)
    } catch (error) {
      await client.close()
      if (rootCodeOf(error) !== "ERR_POSTGRES_LOCKED" || Bun.nanoseconds() > deadline)
        throw asUnusable(error, url, mode)
      await Bun.sleep(50)
    }
  }
}

/** Runs `work` on the database, and closes the client. @throws DatabaseUnusable with the cure */
export async function usingClient<T>(options: ConnectOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connected(options, async (opened) => opened)
  try {
    return await work(client)
  } catch (error) {
    throw asUnusable(error, options.url, options.mode)
  } finally {
    await client.close()
  }
}

function refuseMissingCertificates({ sslRootCert }: DatabaseUrl) {
  if (sslRootCert === null) return
  try {
    accessSync(sslRootCert, constants.R_OK)
  } catch (error) {
    throw new DatabaseUnusable(`the file of sslrootcert in db.url: ${problemOf(error)}`, { cause: error })
  }
}

function refuseUnfit({ version, shownVersion, encoding }: ServerFacts) {
  if (version < leastVersion * 10_000)
    throw new DatabaseUnusable(`it runs PostgreSQL ${shownVersion}; upgrade it to version ${leastVersion} or newer`)
  if (encoding !== "UTF8")
    throw new DatabaseUnusable(
      `its encoding is ${encoding}; create the database with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    )
}

/** Turns an error of PostgreSQL or of the connection into a DatabaseUnusable; returns any other error unchanged. */
function asUnusable(error: unknown, url: DatabaseUrl, mode: ConnectionMode = "shared"): unknown {
  if (error instanceof DatabaseUnusable) return error
  if (rootCodeOf(error) === "ERR_POSTGRES_LOCKED") return new DatabaseUnusable(locked[mode], { cause: error })
  const cure = cureOf(error, url)
  if (cure !== undefined) return new DatabaseUnusable(cure, { cause: error })
  return error instanceof DomainError
    ? new DatabaseUnusable(`it cannot be reached: ${explained(error.cause).problem}; ${checkUrl}`, { cause: error })
    : error
}

const checkUrl = "check host, port, sslmode and sslrootcert in db.url"

const locked: Readonly<Record<ConnectionMode, string>> = {
  exclusive: "another process has it open; stop `rewards serve` and every other rewards command, on every machine",
  shared: "it is being copied or reset; start again when that has ended",
}
