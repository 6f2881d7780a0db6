import { type Signal, useSignal } from "@preact/signals"
import { Plus } from "lucide"
import { useEffect, useId, useMemo, useRef } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { Combobox } from "../../parts/combobox.tsx"
import { FieldError, type FieldState } from "../../parts/form.tsx"
import { Icon } from "../../parts/icon.tsx"
import { management, useDepartments } from "../../people.ts"
import { isSuperuser } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

/** The server compares departments by this key. */
const keyOf = (dept: string): string => dept.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase()

interface Option {
  readonly name: string
  /** Null for a new department. */
  readonly people: number | null
}

/** What the field needs to tell an existing department, a new one and a typing mistake apart. */
interface DeptCheck {
  /** The existing departments; null until loaded. */
  readonly departments: readonly Option[] | null
  /** The new department that the user chose to create; empty if there is none. */
  readonly created: Signal<string>
  /**
   * Why this department cannot be sent; null if it can. The user must choose explicitly to create a new one. Waits for
   * the existing departments if need be, and checks nothing if they cannot be loaded.
   */
  readonly problemWith: (dept: string) => Promise<string | null>
}

export function useDeptCheck(): DeptCheck {
  const { data } = useDepartments(null)
  const created = useSignal("")
  const departments = data?.items ?? null
  const problemWith = async (dept: string) => {
    if (dept === "" || dept === created.value) return null
    const known = departments ?? (await existing())
    const isAlmostManagement = keyOf(dept) === management && dept !== management
    // The server stores the existing spelling.
    if (known === null || (!isAlmostManagement && known.some(({ name }) => keyOf(name) === keyOf(dept)))) return null
    return fill(isAlmostManagement ? t().accounts.almostManagement : t().accounts.unknownDept, { name: dept })
  }
  return { departments, created, problemWith }
}

async function existing(): Promise<readonly Option[] | null> {
  const answer = await request(api.api.v1.departments.get({ query: {} }))
  return answer.kind === "done" ? answer.data.items : null
}

interface DeptFieldProps {
  readonly of: FieldState
  readonly check: DeptCheck
  /** Whether the user may create a new department. */
  readonly allowsNew?: boolean
}

/** A department: one that exists, found by a part of its name, or explicitly a new one. */
export function DeptField({ of, check: { departments, created }, allowsNew = true }: DeptFieldProps) {
  const { accounts } = t()
  const id = useId()
  const typed = of.value.value.trim()
  /**
   * Whether the user asked for the list, by a click or the down arrow. The focus alone does not open the list of a
   * filled field, because the list would cover the error below the field.
   */
  const isChoosing = useSignal(false)
  /** The text at the moment when the field got the focus, or a department was picked. */
  const settled = useSignal(typed)
  const isOpen = isChoosing.value || typed === "" || typed !== settled.value
  const options = useMemo(
    () => (isOpen ? (optionsFor(typed, departments, allowsNew)?.filter(isOffered) ?? null) : null),
    [typed, departments, allowsNew, isOpen],
  )
  const choose = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) isChoosing.value = true
  }
  const error = of.error.value
  /**
   * Replaces another spelling of an existing department by its name. Not for `management`: a typing mistake must not
   * make anybody a superuser.
   */
  const settle = () => {
    isChoosing.value = false
    const existing = departments?.find(({ name }) => keyOf(name) === keyOf(typed))
    const isKnown = departments?.some(({ name }) => name === typed)
    if (existing !== undefined && !isKnown && keyOf(typed) !== management) of.value.value = existing.name
  }
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The departments may arrive after the field has lost the focus.
    if (!root.current?.contains(document.activeElement)) settle()
  }, [departments])
  return (
    <div
      ref={root}
      class="grid gap-1.5"
      onFocusInCapture={() => {
        settled.value = typed
      }}
      onClickCapture={choose}
      onKeyDownCapture={(event) => event.key === "ArrowDown" && choose(event)}
      onFocusOutCapture={settle}
    >
      <Combobox
        label={accounts.dept}
        isLabelled
        text={of.value}
        options={options}
        suggests
        keyOf={({ name, people }) => `${people === null} ${name}`}
        draw={(option) => <DeptOption of={option} />}
        onPick={({ name, people }) => {
          isChoosing.value = false
          settled.value = name
          of.value.value = name
          if (people === null) created.value = name
        }}
        input={of.input}
        describedBy={error === null ? undefined : `${id}-error`}
      />
      <FieldError id={`${id}-error`} text={error} />
      <p role="status" class="text-sm text-muted empty:hidden">
        {typed === management && accounts.superusers}
        {typed !== "" && typed === created.value && fill(accounts.isNewDept, { name: typed })}
      </p>
    </div>
  )
}

/** Only superusers make superusers. */
const isOffered = ({ name }: Option): boolean => name !== management || isSuperuser()

function optionsFor(
  typed: string,
  departments: readonly Option[] | null,
  allowsNew: boolean,
): readonly Option[] | null {
  if (departments === null) return null
  const key = keyOf(typed)
  const isExact = departments.some(({ name }) => keyOf(name) === key)
  // If the field holds an existing department, it offers all others too.
  const matching = departments
    .filter(({ name }) => isExact || keyOf(name).includes(key))
    .toSorted((one, other) => Number(keyOf(other.name) === key) - Number(keyOf(one.name) === key))
  return key === "" || isExact || !allowsNew ? matching : [...matching, { name: typed, people: null }]
}

function DeptOption({ of: { name, people } }: { of: Option }) {
  if (people === null)
    return (
      <>
        <Icon of={Plus} class="size-4 text-muted" />
        <span dir="auto" class="min-w-0 grow wrap-anywhere">
          {fill(t().accounts.newDept, { name })}
        </span>
      </>
    )
  return (
    <>
      <span dir="auto" class="min-w-0 grow wrap-anywhere">
        {name}
      </span>
      <span class="shrink-0 text-sm text-muted tabular-nums">{formatPlural(people, t().give.people)}</span>
    </>
  )
}
