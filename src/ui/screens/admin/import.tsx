import { useSignal } from "@preact/signals"
import { FileUp } from "lucide"
import { useRef, useState } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { addresses } from "../../addresses.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Notice } from "../../parts/form.tsx"
import { Icon } from "../../parts/icon.tsx"
import { messageOf, translated, translatedAtField } from "../../server/failure-messages.ts"
import { formatNumber, formatPlural, perLocale } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { Columns } from "./import-columns.tsx"
import {
  asFound,
  checkPeople,
  type DryRun,
  type ImportResult,
  importPeople,
  type Reading,
  rememberedReading,
  rememberReading,
} from "./import-file.ts"
import { InviteAll } from "./invite-all.tsx"
import { saidOfMail, TrialLinks } from "./mail-sent.tsx"

/** Imports people from a CSV file: a dry run first, which shows how the file is read, then all or nothing. */
export function Import() {
  const { imports } = t()
  const file = useSignal<File | null>(null)
  const reading = useSignal<Reading>(asFound)
  /** The result of the dry run; null before it. */
  const dryRunResult = useSignal<DryRun | null>(null)
  const done = useSignal<ImportResult | null>(null)
  const isInviting = useSignal(true)
  const refusal = useSignal<string | null>(null)
  const isOutdated = useRef(false)

  const looking = useAction(async () => {
    do {
      isOutdated.current = false
      refusal.value = null
      if (file.value === null) return
      const isNew = dryRunResult.value === null
      const answer = await checkPeople(file.value, reading.value)
      const before = isNew && answer.kind === "done" ? rememberedReading(answer.data) : undefined
      if (isOutdated.current) continue
      if (answer.kind !== "done") {
        dryRunResult.value = null
        refusal.value = messageOf(answer)
      } else {
        dryRunResult.value = answer.data
        if (before === undefined) continue
        reading.value = before
        isOutdated.current = true
      }
    } while (isOutdated.current)
  })
  /** While a check runs, what it began with may change: then it runs once more. */
  const look = () => {
    isOutdated.current = true
    void looking.run()
  }
  const importing = useAction(async () => {
    refusal.value = null
    if (file.value === null || dryRunResult.value === null) return
    const answer = await importPeople(file.value, reading.value, isInviting.value)
    if (answer.kind !== "done") {
      refusal.value = messageOf(answer)
      return
    }
    rememberReading(dryRunResult.value, reading.value)
    done.value = answer.data
    dryRunResult.value = null
    file.value = null
  })
  const result = dryRunResult.value

  return (
    <AdminLayout title={imports.title} isPart>
      <p class="mt-2 max-w-prose text-muted">{imports.lead}</p>
      <pre class="mt-3 w-fit max-w-full rounded-field bg-base-300/50 px-3 py-2 text-sm whitespace-pre-wrap">
        {example}
      </pre>
      <div class="mt-5 grid grid-cols-[minmax(0,1fr)] gap-5">
        <FilePicker
          file={file.value}
          onPick={(picked) => {
            file.value = picked
            reading.value = asFound
            dryRunResult.value = null
            done.value = null
            look()
          }}
        />
        {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
        {result !== null && result.columns.length > 0 && <Columns of={result} reading={reading} onChange={look} />}
        {result?.faults.some(({ is_unknown }) => !is_unknown) && <Faults of={result} />}
        {result !== null && result.faults.length === 0 && (
          <Plan
            of={result}
            isInviting={isInviting}
            busy={importing.busy.value || looking.busy.value}
            onImport={importing.run}
          />
        )}
        {done.value !== null && <Done of={done.value} isInvited={isInviting.value} />}
      </div>
      <InviteAll />
    </AdminLayout>
  )
}

const lists = perLocale((tag) => new Intl.ListFormat(tag))

const example = `name,email,dept
Ana Souza,ana@example.com,sales
Bruno Lima,bruno@example.com,support`

interface PlanProps {
  readonly of: ImportResult
  readonly isInviting: { value: boolean }
  readonly busy: boolean
  readonly onImport: () => void
}

/** What the import would change. */
function Plan({ of, isInviting, busy, onImport }: PlanProps) {
  const { imports } = t()
  if (of.created + of.updated === 0) return <Notice kind="info">{imports.nothingNew}</Notice>
  return (
    <div class="grid justify-items-start gap-4">
      <p role="status" class="text-xl font-semibold tracking-tight">
        {countsOf(of)}
      </p>
      {of.new_departments.length > 0 && (
        <p class="max-w-md">
          {formatPlural(of.new_departments.length, imports.newDepartments)}{" "}
          <bdi class="font-medium">{lists().format(of.new_departments)}</bdi>
        </p>
      )}
      <StatusChange title={formatPlural(of.deactivated.length, imports.deactivated)} people={of.deactivated}>
        {imports.deactivatedLead}
      </StatusChange>
      <StatusChange title={formatPlural(of.reactivated.length, imports.reactivated)} people={of.reactivated}>
        {imports.reactivatedLead}
      </StatusChange>
      {of.created > 0 && (
        <label class="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            class="checkbox checkbox-primary"
            checked={isInviting.value}
            onChange={(event) => {
              isInviting.value = event.currentTarget.checked
            }}
          />
          <span>
            <span class="block">{imports.invite}</span>
            <span class="block text-sm text-muted">{imports.inviteLead}</span>
          </span>
        </label>
      )}
      <Button busy={busy} onClick={onImport}>
        {imports.submit}
      </Button>
    </div>
  )
}

interface StatusChangeProps {
  readonly title: string
  readonly people: ImportResult["deactivated"]
  /** An explanation of the change. */
  readonly children: string
}

/** How many names are listed; nobody would read more. */
const maxNamed = 20

/** The people that the import would deactivate or reactivate. */
function StatusChange({ title, people, children }: StatusChangeProps) {
  if (people.length === 0) return null
  return (
    <section class="w-full max-w-md rounded-box border border-line p-4">
      <h2 class="font-medium">{title}</h2>
      <p class="text-sm text-muted">{children}</p>
      <ul class="mt-2 grid gap-1">
        {people.slice(0, maxNamed).map(({ username, name }) => (
          <li key={username}>
            <bdi>{name}</bdi> <bdi class="text-sm text-muted">{username}</bdi>
          </li>
        ))}
        {people.length > maxNamed && (
          <li class="text-sm text-muted">{formatPlural(people.length - maxNamed, t().imports.more)}</li>
        )}
      </ul>
    </section>
  )
}

function Done({ of, isInvited }: { of: ImportResult; isInvited: boolean }) {
  const { imports } = t()
  return (
    <>
      <Notice kind="info">
        {fill(imports.done, { counts: countsOf(of) })}
        {isInvited && of.created > 0 && ` ${saidOfMail(imports.invited)}`}{" "}
        <a href={addresses.people} class="link">
          {imports.toPeople}
        </a>
      </Notice>
      {isInvited && of.created > 0 && <TrialLinks username={null} />}
    </>
  )
}

/** `3 new, 2 changed, 5 unchanged`, without zero counts. */
function countsOf({ created, updated, unchanged }: ImportResult): string {
  const { imports } = t()
  return [
    created > 0 && formatPlural(created, imports.new),
    updated > 0 && formatPlural(updated, imports.changed),
    unchanged > 0 && formatPlural(unchanged, imports.unchanged),
  ]
    .filter(Boolean)
    .join(", ")
}

interface FilePickerProps {
  readonly file: File | null
  readonly onPick: (file: File) => void
}

/** Takes a file by dialog or drop. The same file can be chosen again after it was edited. */
function FilePicker({ file, onPick }: FilePickerProps) {
  const { imports } = t()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const [picked] = files ?? []
    if (picked !== undefined) onPick(picked)
  }
  return (
    <label
      class={`flex cursor-pointer items-center gap-4 rounded-box border border-dashed px-4 py-5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary ${isOver ? "border-primary bg-primary/8" : "border-base-content/45 hover:bg-base-300/30"}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <Icon of={FileUp} class="size-6 text-muted" />
      <span class="min-w-0">
        <span dir="auto" class="block font-medium">
          {file?.name ?? imports.choose}
        </span>
        <span class="block text-sm text-muted">{file === null ? imports.drop : imports.chooseAgain}</span>
      </span>
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        class="sr-only"
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          currentTarget.value = ""
        }}
      />
    </label>
  )
}

/** How many faults are listed, and how many rows of each: nobody can use more at once. */
const maxShown = 100
const maxRows = 5

/** The faults, one for each column and reason, and where they are. Columns that nobody knows are asked about elsewhere. */
function Faults({ of: { columns, faults } }: { of: DryRun }) {
  const { imports } = t()
  const known = faults.filter(({ is_unknown }) => !is_unknown)
  const names: Readonly<Record<string, string>> = imports.meanings
  const nameOf = (column: string | null) =>
    column === null ? "" : (columns.find(({ means }) => means === column)?.header ?? names[column] ?? column)
  return (
    <div class="grid gap-3">
      <p role="alert">
        <b class="font-medium text-error">{formatPlural(known.length, imports.faults)}</b> {imports.nothingDone}
      </p>
      <table class="w-full text-start">
        <thead class="text-sm text-muted">
          <tr class="border-b border-line">
            <th scope="col" class="py-2 pe-4 text-start font-medium whitespace-nowrap">
              {imports.row}
            </th>
            <th scope="col" class="py-2 pe-4 text-start font-medium whitespace-nowrap">
              {imports.column}
            </th>
            <th scope="col" class="py-2 text-start font-medium">
              {imports.fault}
            </th>
          </tr>
        </thead>
        <tbody>
          {known.slice(0, maxShown).map(({ rows, column, code, detail }) => (
            <tr key={`${column} ${detail}`} class="border-b border-line align-top">
              <td class="py-2.5 pe-4 tabular-nums">{rowsIn(rows)}</td>
              <td dir="auto" translate={false} class="py-2.5 pe-4 wrap-anywhere sm:min-w-40">
                {nameOf(column)}
              </td>
              <td class="py-2.5">
                {column === null ? translated({ code, detail }) : translatedAtField({ code, detail, field: column })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {known.length > maxShown && (
        <p class="text-sm text-muted">{formatPlural(known.length - maxShown, imports.more)}</p>
      )}
    </div>
  )
}

/** `2, 3, 4, 5, 6 and 14 more` */
function rowsIn(rows: readonly number[]): string {
  const shown = rows.slice(0, maxRows).map(formatNumber).join(", ")
  return rows.length > maxRows ? `${shown} ${formatPlural(rows.length - maxRows, t().imports.more)}` : shown
}
