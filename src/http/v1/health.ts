import { Type } from "@sinclair/typebox"
import { discardedKeptDays } from "../../domain/jobs.ts"
import type { BackupState, Department, StoreReading } from "../../domain/model.ts"
import { type Findings, isReady } from "../../health.ts"
import { utc } from "./views.ts"

const date = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `UTC; null ${description}` })
const count = (description: string) => Type.Integer({ description })

export const healthShapes = {
  Health: Type.Object({
    version: Type.String(),
    started_at: Type.String({ description: "UTC" }),
    ready: Type.Boolean({ description: "whether every part is as it must be" }),
    checks: Type.Record(Type.String(), Type.Object({ ok: Type.Boolean(), reason: Type.String() }), {
      description: "by part: database, worker, disk, backup",
    }),
    backup: Type.Object({
      every_hours: Type.Number({ description: "0 without a schedule" }),
      last_at: date("when there is none"),
      failed_at: date("when none failed since the last one"),
    }),
    people: count("how many"),
    transactions: count("how many"),
    database_bytes: count("with what waits beside it"),
    free_bytes: count("on the disk of the database"),
    waiting_mails: count("not sent yet"),
    discarded_jobs: Type.Object({
      count: count(`given up in the last ${discardedKeptDays} days, such as a mail that nobody took`),
      newest: Type.Union([
        Type.Object({
          kind: Type.String({ description: "`reset_mail` or `invitation`" }),
          at: Type.String({ description: "UTC" }),
          error: Type.String({ description: "what the last attempt said, without addresses" }),
        }),
        Type.Null(),
      ]),
    }),
    sends_mail: Type.Boolean({ description: "false: mail goes into a file" }),
  }),
}

interface Health {
  readonly version: string
  readonly startedAt: number
  readonly findings: Findings
  readonly vitals: StoreReading
  readonly backup: BackupState
  readonly freeBytes: number
  readonly departments: readonly Department[]
  readonly sendsMail: boolean
}

export const healthView = ({ findings, vitals, backup, departments, ...rest }: Health) => ({
  version: rest.version,
  started_at: utc(rest.startedAt),
  ready: isReady(findings),
  checks: findings,
  backup: {
    every_hours: backup.everyMs / 3_600_000,
    last_at: backup.lastSuccessAt === null ? null : utc(backup.lastSuccessAt),
    failed_at: backup.lastFailure === null ? null : utc(backup.lastFailure.at),
  },
  people: departments.reduce((sum, { people }) => sum + people, 0),
  transactions: vitals.transactions,
  database_bytes: vitals.databaseBytes + vitals.walBytes,
  free_bytes: rest.freeBytes,
  waiting_mails: vitals.jobs.available + vitals.jobs.running,
  discarded_jobs: {
    count: vitals.discarded.count,
    newest: vitals.discarded.newest && { ...vitals.discarded.newest, at: utc(vitals.discarded.newest.at) },
  },
  sends_mail: rest.sendsMail,
})
