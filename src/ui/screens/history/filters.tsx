import { useSignal } from "@preact/signals"
import { X } from "lucide"
import type { ComponentChildren, TargetedEvent } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { Avatar } from "../../parts/avatar.tsx"
import { Choice } from "../../parts/choice.tsx"
import { Combobox } from "../../parts/combobox.tsx"
import { Icon } from "../../parts/icon.tsx"
import { type PersonSummary, usePeopleSearch } from "../../people.ts"
import { me, service } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { kinds, urlOf, type View } from "./view.ts"

/** The filters of the history: direction or sender and receiver, kind, tag, text and days; for superusers also the owner. */
export function Filters({ view }: { view: View }) {
  const { history } = t()
  const { query, route } = useLocation()
  const { username: owner, user, from_user } = view
  const isIn = owner !== null && user === owner
  const isOut = owner !== null && from_user === owner
  const tags = service.value?.tags ?? []
  const set = (change: Readonly<Record<string, string | undefined>>) => route(urlOf(query, change))
  const nobody = { user: undefined, from_user: undefined }
  const directions = [
    { name: history.all, address: urlOf(query, nobody) },
    { name: history.received, address: urlOf(query, { ...nobody, user: owner ?? "" }) },
    { name: history.given, address: urlOf(query, { ...nobody, from_user: owner ?? "" }) },
  ]
  const chosen = directions[isIn ? 1 : isOut ? 2 : 0]?.address ?? ""

  return (
    <search class="mt-8 grid gap-3 print:hidden">
      {owner !== null && <Choice label={history.direction} options={directions} chosen={chosen} />}
      <div class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))] items-end gap-x-3 gap-y-3">
        {me.value?.role === "superuser" && (
          <PersonFilter
            label={history.whose}
            username={query.username ?? null}
            onPick={(username) => set({ ...nobody, username })}
          />
        )}
        {!isOut && (
          <PersonFilter label={history.from} username={from_user} onPick={(picked) => set({ from_user: picked })} />
        )}
        {!isIn && <PersonFilter label={history.to} username={user} onPick={(picked) => set({ user: picked })} />}
        <Labelled label={history.kind}>
          {(id) => (
            <select
              id={id}
              class="select w-full border-base-content/45"
              value={view.kind ?? ""}
              onChange={({ currentTarget: { value } }) => set({ kind: value || undefined })}
            >
              <option value="">{history.anyKind}</option>
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {history.kindNames[kind]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        {tags.length > 0 && (
          <Labelled label={history.tag}>
            {(id) => (
              <select
                id={id}
                class="select w-full border-base-content/45"
                value={view.tag ?? ""}
                onChange={({ currentTarget: { value } }) => set({ tag: value || undefined })}
              >
                <option value="">{history.anyTag}</option>
                {tags.map((tag) => (
                  <option key={tag} value={tag}>
                    {tag}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        <TypedFilter type="text" label={history.text} value={view.q} onSet={(q) => set({ q })} />
        <TypedFilter type="date" label={history.firstDay} value={view.from} onSet={(from) => set({ from })} />
        <TypedFilter type="date" label={history.lastDay} value={view.to} onSet={(to) => set({ to })} />
      </div>
    </search>
  )
}

function Labelled({ label, children }: { label: string; children: (id: string) => ComponentChildren }) {
  const id = useId()
  return (
    <div class="grid min-w-0 gap-1.5">
      <label for={id} class="text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

interface TypedFilterProps {
  readonly type: "text" | "date"
  readonly label: string
  readonly value: string | null
  readonly onSet: (value: string | undefined) => void
}

/** Applies when the field is left or Enter is pressed. */
function TypedFilter({ type, label, value, onSet }: TypedFilterProps) {
  return (
    <Labelled label={label}>
      {(id) => {
        const input = {
          id,
          class: "input w-full border-base-content/45",
          value: value ?? "",
          onChange: ({ currentTarget }: TargetedEvent<HTMLInputElement>) =>
            onSet(currentTarget.value.trim() || undefined),
        }
        return type === "date" ? <input type="date" {...input} /> : <input type="text" maxLength={100} {...input} />
      }}
    </Labelled>
  )
}

interface PersonFilterProps {
  readonly label: string
  /** The selected person; null for anybody. */
  readonly username: string | null
  readonly onPick: (username: string | undefined) => void
}

/** Filters by one person, found by any part of the name. */
function PersonFilter({ label, username, onPick }: PersonFilterProps) {
  const { history } = t()
  const text = useSignal("")
  const options = usePeopleSearch(text.value)
  const input = useRef<HTMLInputElement>(null)
  const isRemoved = useRef(false)
  const remove = () => {
    isRemoved.current = true
    onPick(undefined)
  }
  useLayoutEffect(() => {
    if (isRemoved.current) input.current?.focus()
    isRemoved.current = false
  }, [username])

  return (
    <div class="grid min-w-0 gap-1.5">
      <span class="text-sm font-medium" aria-hidden="true">
        {label}
      </span>
      {username === null ? (
        <Combobox
          label={label}
          text={text}
          options={options}
          keyOf={(face) => face.username}
          draw={(face) => <Option face={face} />}
          onPick={(face) => onPick(face.username)}
          placeholder={history.anybody}
          input={input}
        />
      ) : (
        <SelectedPerson label={label} username={username} onRemove={remove} />
      )}
    </div>
  )
}

interface PickedProps {
  readonly label: string
  readonly username: string
  readonly onRemove: () => void
}

/** Replaces the text field while a person is selected; a click, Backspace or Delete removes the person. */
function SelectedPerson({ label, username, onRemove }: PickedProps) {
  const chip = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) chip.current?.focus()
  }, [])
  return (
    <div class="input w-full border-base-content/45 ps-1.5">
      <button
        ref={chip}
        type="button"
        class="inline-flex h-7 max-w-full items-center gap-1 rounded-selector bg-base-300 ps-2 pe-1 text-sm pointer-coarse:h-8"
        aria-label={`${label}: ${fill(t().history.without, { name: username })}`}
        onClick={onRemove}
        onKeyDown={({ key }) => {
          if (key === "Backspace" || key === "Delete") onRemove()
        }}
      >
        <span dir="auto" class="truncate">
          {username}
        </span>
        <Icon of={X} class="size-3.5" />
      </button>
    </div>
  )
}

function Option({ face }: { face: PersonSummary }) {
  return (
    <>
      <Avatar {...face} src={face.avatar} size="small" />
      <span class="min-w-0">
        <span dir="auto" class="block truncate">
          {face.name}
        </span>
        <span class="block truncate text-xs text-muted">{face.username}</span>
      </span>
    </>
  )
}
