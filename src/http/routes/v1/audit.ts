import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type AuditRecord, auditActions } from "../../../domain/audit/ports.ts"
import { maxAuditSearch } from "../../../domain/auth/audit-entries.ts"
import { auditCsv } from "../../../formats/csv.ts"
import { utc } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { createCsvDownload, csv, type DownloadRules, separator } from "../../downloads.ts"
import { downloadOperation, operation } from "../../openapi-operations.ts"
import { day, nullableText, numberOf, oneOf, protectedQuery, text } from "../../schemas.ts"
import { date, pageOf, pageParameters, pageView } from "./common-fields.ts"

type AuditDependencies = Dependencies<"auditEntries" | "calendar" | "clock"> & DownloadRules

/** The audit log, for superusers. */
export function auditRoutes({ app, guards, origin }: AuditDependencies) {
  const { auditEntries } = app
  const download = createCsvDownload(app)

  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/audit",
      async ({ query: { before, size, ...query }, actor, request: { signal } }) => {
        const range = { before: numberOf(before), size: numberOf(size), signal }
        return pageView(await auditEntries.page(actor, { ...query, ...range }), entryView)
      },
      {
        superuser: "read",
        query: protectedQuery({ ...filter, ...pageParameters }),
        detail: operation("Audit", "List what was done, newest first (superusers)", 200, "AuditPage"),
      },
    )
    .get(
      "/api/v1/audit.csv",
      ({ query: { separator, ...query }, actor, holder }) =>
        download(holder, "audit", async () => auditCsv(await auditEntries.all(actor, query), separator)),
      {
        superuser: "read",
        transform: ({ request }: { request: Request }) => origin.demandForDownload(request),
        query: protectedQuery({ ...separator, ...filter }),
        detail: downloadOperation("Audit", "Download what was done, newest first (superusers)", csv),
      },
    )
}

const filter = {
  who: Type.Optional(text("the username of who did it; on the command line, the name of an account of the system")),
  what: Type.Optional(oneOf(auditActions)),
  from: Type.Optional(day("first day")),
  to: Type.Optional(day("last day")),
  q: Type.Optional(text(`text in an entry, at most ${maxAuditSearch} characters`)),
}

const values = (when: string) =>
  Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    description: `the values of what changed ${when}, by the names of the interface; null where there was nothing`,
  })

export const auditComponents = {
  AuditEntry: Type.Object({
    id: Type.Integer(),
    at: date("UTC; of what happened more than once, the last time"),
    who: nullableText("who did it; null for the server, and where nobody was logged in"),
    what: oneOf(auditActions),
    whom: nullableText("the person whom it is about"),
    before_values: values("before"),
    after_values: values("after"),
    address: nullableText("the IP address from which it came"),
    way: oneOf(["http", "command line", "server"] as const),
    count: Type.Integer({ description: "how many times it happened" }),
    detail: nullableText("what else is worth knowing"),
  }),
  AuditPage: pageOf("AuditEntry"),
}

const entryView = ({ id, at, who, action, whom, before, after, address, way, count, detail }: AuditRecord) => ({
  id,
  at: utc(at),
  who,
  what: action,
  whom,
  before_values: before,
  after_values: after,
  address,
  way,
  count,
  detail,
})
