import type { Signal } from "@preact/signals"
import { useId } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { formatNumber, formatPlural, perLocale } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { DryRun, Meaning, Reading } from "./import-file.ts"

interface Props {
  readonly of: DryRun
  readonly reading: Signal<Reading>
  /** Checks the file again. */
  readonly onChange: () => void
}

/** How the file was read: what was detected, what each column means, and its first five rows. All of it can be changed. */
export function Columns({ of, reading, onChange }: Props) {
  const { imports } = t()
  const change = (changed: Partial<Reading>) => {
    reading.value = { ...reading.value, ...changed }
    onChange()
  }
  const separator = imports.separators[of.separator] ?? of.separator
  return (
    <section class="grid grid-cols-[minmax(0,1fr)] gap-4" aria-labelledby="import-columns">
      <div>
        <h2 id="import-columns" class="text-lg font-semibold tracking-tight">
          {imports.columns}
        </h2>
        <p class="text-sm text-muted">
          {fill(imports.readAs, { encoding: of.encoding, separator })}
          {of.encoding === "Windows-1252" && ` ${imports.guessed}`}
        </p>
      </div>
      <div class="grid gap-4 sm:max-w-lg sm:grid-cols-2">
        <Choice
          label={imports.system}
          value={reading.value.preset}
          options={[["", imports.anySystem], ...systems]}
          onChange={(preset) => change({ preset })}
        />
        {of.dates !== null && (
          <Choice
            label={imports.dateOrder}
            value={of.dates === "unclear" ? "" : of.dates}
            options={[
              ...(of.dates === "unclear" ? [["", imports.askDate] as const] : []),
              ["dmy", imports.dayFirst],
              ["mdy", imports.monthFirst],
            ]}
            onChange={(dates) => change({ dates })}
          />
        )}
      </div>
      <ul class="border-t border-line">
        {of.columns.map((column, at) => (
          <Column
            key={`${at} ${column.header}`}
            of={column}
            name={nameOf(column.header, at)}
            isUnknown={
              column.means === null &&
              !reading.value.ignoreUnknown &&
              reading.value.columns[column.header] === undefined &&
              of.unknown.includes(column.header || placeOf(at))
            }
            onPick={(means) => change({ columns: { ...reading.value.columns, [column.header]: means } })}
          />
        ))}
      </ul>
      {of.unknown.length > 0 && <Unknown of={of} reading={reading} change={change} />}
      {of.left_out > 0 && <p class="max-w-prose text-sm">{formatPlural(of.left_out, imports.leavers)}</p>}
    </section>
  )
}

/** What the server calls a column without a header. */
const placeOf = (at: number) => `column ${at + 1}`
const nameOf = (header: string, at: number) => header || fill(t().imports.unnamed, { number: formatNumber(at + 1) })

/** Names of products, the same in every language. */
const systems = [
  ["microsoft365", "Microsoft 365"],
  ["entra", "Microsoft Entra"],
  ["google", "Google Workspace"],
  ["okta", "Okta"],
  ["bamboohr", "BambooHR"],
  ["personio", "Personio"],
  ["hibob", "HiBob"],
  ["slack", "Slack"],
] as const

/** What a column that nobody knows seems to mean, until somebody says it. */
const asking = "?"

interface ColumnProps {
  readonly of: DryRun["columns"][number]
  readonly name: string
  readonly isUnknown: boolean
  readonly onPick: (means: Meaning | null) => void
}

function Column({ of: { means, examples }, name, isUnknown, onPick }: ColumnProps) {
  const { imports } = t()
  const id = useId()
  const names: Readonly<Record<Meaning, string>> = imports.meanings
  return (
    <li class="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1.5 border-b border-line py-3 sm:grid-cols-[minmax(0,1fr)_13rem_minmax(0,1.4fr)] sm:items-center">
      <label for={id} dir="auto" translate={false} class="font-medium wrap-anywhere">
        {name}
      </label>
      <select
        id={id}
        class={`select w-full ${isUnknown ? "select-error" : "border-base-content/45"}`}
        value={isUnknown ? asking : (means ?? "")}
        onChange={({ currentTarget: { value } }) => onPick(value === "" ? null : (value as Meaning))}
      >
        {isUnknown && (
          <option value={asking} disabled>
            {imports.notKnown}
          </option>
        )}
        <option value="">{imports.leftOut}</option>
        {(Object.keys(names) as Meaning[]).map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
      <ul aria-label={imports.firstRows} translate={false} class="flex flex-wrap gap-x-3 text-sm text-muted">
        {examples.map((example, row) => (
          <li key={row} dir="auto" class="wrap-anywhere">
            {example.trim() === "" ? "–" : example}
          </li>
        ))}
      </ul>
    </li>
  )
}

const lists = perLocale((tag) => new Intl.ListFormat(tag))

function Unknown({ of, reading, change }: Omit<Props, "onChange"> & { change: (changed: Partial<Reading>) => void }) {
  const { imports } = t()
  const names = of.unknown.map((one) => {
    const unnamed = of.columns.findIndex(({ header }, at) => header === "" && one === placeOf(at))
    return unnamed === -1 ? one : nameOf("", unnamed)
  })
  return (
    <div class="grid gap-2">
      <p role="status" class="max-w-prose wrap-anywhere">
        {formatPlural(names.length, imports.unknown)} <bdi translate={false}>{lists().format(names)}</bdi>
      </p>
      <label class="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          class="checkbox checkbox-primary"
          checked={reading.value.ignoreUnknown}
          onChange={({ currentTarget }) => change({ ignoreUnknown: currentTarget.checked })}
        />
        <span>
          <span class="block">{imports.ignore}</span>
          <span class="block text-sm text-muted">{imports.ignoreLead}</span>
        </span>
      </label>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div class="grid content-start gap-1.5">
      <label for={id} class="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        class="select w-full border-base-content/45"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
