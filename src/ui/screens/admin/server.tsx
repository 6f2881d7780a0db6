import { CircleCheck, CircleMinus, TriangleAlert } from "lucide"
import type { ComponentChildren } from "preact"
import { fill } from "../../../languages/writing.ts"
import { Time } from "../../dates.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { formatNumber, formatPlural } from "../../texts/format.ts"
import { locale, t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { type Health, prefetchHealth, useHealth, verdictOn } from "./health.ts"
import { UnsentMail } from "./unsent-mail.tsx"

/** The health of the server in detail. */
export function Server() {
  const { health } = t()
  const { data, failure, refresh } = useHealth()
  return (
    <AdminLayout title={health.title} isPart>
      {failure !== null ? (
        <LoadFailure failure={failure} onRetry={refresh} />
      ) : data === null ? (
        <Skeleton class="mt-6 h-96 w-full rounded-box" />
      ) : (
        <Report of={data} />
      )}
    </AdminLayout>
  )
}

Server.prefetch = prefetchHealth

function Report({ of: health }: { of: Health }) {
  const texts = t().health
  const verdict = verdictOn(health)
  return (
    <>
      <p role="status" class={`mt-1 ${verdictLooks[verdict]}`}>
        {texts[verdict]}
      </p>
      <ul class="mt-7 grid gap-4">
        {Object.entries(health.checks).map(([part, { ok, reason }]) => {
          const state = part === "backup" && health.backup.every_hours === 0 ? "none" : ok ? "ok" : "wrong"
          return (
            <li key={part} class="flex gap-3">
              <Icon of={looks[state].icon} class={`mt-px size-5 ${looks[state].colour}`} />
              <div class="min-w-0">
                <p class="font-medium">
                  {state === "none" ? texts.noSchedule : isPart(part) ? texts[part][state] : part}
                </p>
                <p class="text-sm text-muted">{ok ? <Details of={health} part={part} /> : reason}</p>
              </div>
            </li>
          )
        })}
      </ul>
      <UnsentMail />
      <Facts of={health} />
    </>
  )
}

const verdictLooks = { well: "text-success", noted: "text-warning", unwell: "font-medium text-error" }

const looks = {
  ok: { icon: CircleCheck, colour: "text-success" },
  wrong: { icon: TriangleAlert, colour: "text-error" },
  none: { icon: CircleMinus, colour: "text-warning" },
}

const isPart = (part: string): part is "database" | "worker" | "mail" | "disk" | "backup" => part in t().health

/** Details of a part that is healthy. */
function Details({
  of: { backup, free_bytes, database_bytes, waiting_mails, discarded_jobs },
  part,
}: {
  of: Health
  part: string
}) {
  const texts = t().health
  if (part === "database") return <>{fill(texts.size, { size: formatBytes(database_bytes) })}</>
  if (part === "disk" && free_bytes !== null) return <>{fill(texts.free, { size: formatBytes(free_bytes) })}</>
  if (part === "worker")
    return (
      <>
        {waiting_mails === 0 ? texts.noneWaits : formatPlural(waiting_mails, texts.waiting)}
        {discarded_jobs.newest && <DiscardedJobs count={discarded_jobs.count} {...discarded_jobs.newest} />}
      </>
    )
  if (part !== "backup") return null
  if (backup.every_hours === 0) return <>{texts.byHand}</>
  return (
    <>
      {backup.last_at === null ? texts.noBackup : texts.lastBackup} {backup.last_at && <Time date={backup.last_at} />}
      {" · "}
      {formatPlural(backup.every_hours, texts.every)}
    </>
  )
}

function DiscardedJobs({ count, at, error }: { count: number; at: string; error: string }) {
  return (
    <span class="block wrap-anywhere text-warning">
      {formatPlural(count, t().health.discarded)} <Time date={at} /> · {error}
    </span>
  )
}

function Facts({ of: health }: { of: Health }) {
  const texts = t().health
  return (
    <dl class="mt-8 grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5 border-t border-line pt-6">
      <Fact name={texts.version}>{health.version}</Fact>
      <Fact name={texts.started}>
        <Time date={health.started_at} />
      </Fact>
      <Fact name={texts.people}>{formatNumber(health.people)}</Fact>
      <Fact name={texts.transactions}>{formatNumber(health.transactions)}</Fact>
      <Fact name={texts.mailFact}>{health.sends_mail ? texts.mailSent : texts.mailKept}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt class="text-muted">{name}</dt>
      <dd class="tabular-nums">{children}</dd>
    </>
  )
}

const units = ["kilobyte", "megabyte", "gigabyte", "terabyte"]

/** `1.2 GB` in the language of the page. */
function formatBytes(bytes: number): string {
  const step = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), units.length)
  const unit = units[step - 1] ?? "megabyte"
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(locale.value, { style: "unit", unit, maximumFractionDigits: 1 }).format(value)
}
