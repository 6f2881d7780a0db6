import type { DatabaseUrl } from "../../../config/database-url.ts"
import { rootCodeOf } from "../../../system-errors.ts"
import { sqlStateOf } from "./errors.ts"

/** Why the database cannot be used, and what the operator can do about it; undefined for an unknown error. */
export const cureOf = (error: unknown, url: DatabaseUrl): string | undefined =>
  cures(url)[sqlStateOf(error)] ?? cures(url)[rootCodeOf(error)]

/** By SQLSTATE of the server, or by code of the client. */
function cures({ user, database, sslMode }: DatabaseUrl): Readonly<Record<string, string>> {
  const unreachable = "no PostgreSQL server answers; check that it runs, host and port in db.url, and firewalls"
  const restarting = "the server is starting or stopping; try again in a moment"
  const wrongPassword = `the server refuses the password of ${user}; check user and password in db.url`
  const busy = "the server has no connection left; raise its max_connections, or lower db.pool_size of each process"
  const pooler =
    "a pooler such as PgBouncer stands before the server and shares its connections; name the server itself in db.url: " +
    "every process keeps a bounded pool of its own (db.pool_size)"
  return {
    ERR_POSTGRES_CONNECTION_REFUSED: unreachable,
    ERR_POSTGRES_CONNECTION_TIMEOUT: unreachable,
    ERR_POSTGRES_CONNECTION_CLOSED: unreachable,
    ERR_POSTGRES_CONNECTION_FAILED: unreachable,
    ERR_POSTGRES_STALLED: unreachable,
    ERR_POSTGRES_POOL_EXHAUSTED:
      "all connections of this process are in use; raise db.pool_size, or look for statements that take long",
    ERR_POSTGRES_READ_ONLY: "no server of db.url takes writes; name the primary there",
    ERR_POSTGRES_POOLER: pooler,
    ERR_POSTGRES_TLS_NOT_AVAILABLE: `the server offers no TLS; turn it on there, or write sslmode=disable in db.url instead of ${sslMode}`,
    "08P01": pooler,
    "28P01": wrongPassword,
    "28000": `the server does not let ${user} in from this address; allow it in pg_hba.conf, or check user and sslmode in db.url`,
    "3D000": `the server has no database ${database}; create it: CREATE DATABASE "${database}" OWNER "${user}"`,
    "42501": `${user} may not create tables in it; make it the owner, or run: GRANT CREATE, USAGE ON SCHEMA public TO "${user}"`,
    "53100": "the disk of the server is full; free space on it",
    "53300": busy,
    "57014": "the server took too long; look for its load, and for transactions that hold locks",
    "57P01": restarting,
    "57P02": restarting,
    "57P03": restarting,
  }
}
