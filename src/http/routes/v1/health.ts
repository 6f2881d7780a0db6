import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { version } from "../../../../package.json" with { type: "json" }
import type { BackupState, StoreReading } from "../../../domain/health.ts"
import { discardedKeptDays } from "../../../domain/jobs/jobs.ts"
import type { Department } from "../../../domain/people/model.ts"
import { utc, utcOrNull } from "../../../formats/views/dates.ts"
import { type CheckResults, checksView, isReady } from "../../../metrics/health.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { ProtectedQuery } from "../../schemas.ts"
import { dateOrNull } from "./common-fields.ts"

interface HealthDependencies
  extends Dependencies<"backups" | "clock" | "config" | "departments" | "readiness" | "store"> {
  /** When the server started, in milliseconds since the epoch. */
  readonly startedAt: number
}

/** The state of this server for superusers: the checks of `/readyz`, and numbers. */
export function serverHealthRoutes({ app, guards, startedAt }: HealthDependencies) {
  const { backups, clock, config, departments, readiness, store } = app

  return new Elysia().use(guards).get(
    "/api/v1/health",
    async () =>
      healthView({
        version,
        startedAt,
        results: await readiness(),
        reading: await store.health.read(clock()),
        backup: backups.state(),
        freeBytes: store.file && (await store.file.freeBytes()),
        departments: await departments.list(),
        sendsMail: !config.email.debug_mode,
      }),
    {
      superuser: "read",
      query: ProtectedQuery,
      detail: operation("App", "Show the state of this server (superusers)", 200, "Health"),
    },
  )
}

const count = (description: string) => Type.Integer({ description })

export const healthComponents = {
  Health: Type.Object({
    version: Type.String(),
    started_at: Type.String({ description: "UTC" }),
    ready: Type.Boolean({
      description: "whether every check is ok, but for that of mail, without which the server does its work",
    }),
    checks: Type.Record(Type.String(), Type.Object({ ok: Type.Boolean(), reason: Type.String() }), {
      description: "by part: database, worker, mail, disk, backup",
    }),
    backup: Type.Object({
      every_hours: Type.Number({ description: "0 without a schedule" }),
      last_at: dateOrNull("UTC; null when there is none"),
      failed_at: dateOrNull("UTC; null when none failed since the last one"),
    }),
    people: count("how many"),
    transactions: count("how many"),
    database_bytes: count("including the write-ahead log"),
    free_bytes: Type.Union([Type.Integer(), Type.Null()], {
      description: "free on the disk of the database file; null without one",
    }),
    waiting_mails: count("not sent yet"),
    discarded_jobs: Type.Object({
      count: count(`given up in the last ${discardedKeptDays} days, such as a mail that could not be delivered`),
      newest: Type.Union([
        Type.Object({
          kind: Type.String({ description: "such as `reset_mail` or `invitation`" }),
          at: Type.String({ description: "UTC" }),
          error: Type.String({ description: "error of the last attempt, without addresses" }),
        }),
        Type.Null(),
      ]),
    }),
    sends_mail: Type.Boolean({ description: "false: mail is written to a file" }),
  }),
}

interface Health {
  readonly version: string
  readonly startedAt: number
  readonly results: CheckResults
  readonly reading: StoreReading
  readonly backup: BackupState
  /** Null when the database is on another machine. */
  readonly freeBytes: number | null
  readonly departments: readonly Department[]
  readonly sendsMail: boolean
}

const healthView = ({ results, reading, backup, departments, ...rest }: Health) => ({
  version: rest.version,
  started_at: utc(rest.startedAt),
  ready: isReady(results),
  checks: checksView(results),
  backup: {
    every_hours: backup.everyMs / 3_600_000,
    last_at: utcOrNull(backup.lastSuccessAt),
    failed_at: utcOrNull(backup.lastFailure?.at ?? null),
  },
  people: departments.reduce((sum, { people }) => sum + people, 0),
  transactions: reading.transactions,
  database_bytes: reading.databaseBytes + reading.walBytes,
  free_bytes: rest.freeBytes,
  waiting_mails: reading.jobs.available + reading.jobs.running,
  discarded_jobs: {
    count: reading.discarded.count,
    newest: reading.discarded.newest && { ...reading.discarded.newest, at: utc(reading.discarded.newest.at) },
  },
  sends_mail: rest.sendsMail,
})
