import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { serviceToday } from "../../dates.tsx"
import { Chips, FilterButton } from "../../parts/chips.tsx"
import { Choice } from "../../parts/choice.tsx"
import { PersonFilter } from "../../parts/filters.tsx"
import { useNameOf } from "../../people.ts"
import { isSuperuser } from "../../rights.ts"
import { knownTags, tagText } from "../../tags.ts"
import { t } from "../../texts/texts.ts"
import { kinds, periods, urlOf, type View } from "./view.ts"

type Set = (change: Readonly<Record<string, string | undefined>>) => void

const nobody = { user: undefined, from_user: undefined }

/** The range of dates of chart and list; all further filters are behind a button, with chips for those that are set. */
export function Filters({ view }: { view: View }) {
  const { query, route } = useLocation()
  const isOpen = useSignal(false)
  const id = useId()
  const set: Set = (change) => route(urlOf(query, change))
  return (
    <search class="mt-2 grid gap-2 print:hidden">
      <div class="flex flex-wrap items-center gap-x-2 gap-y-2">
        <Dates view={view} set={set} />
        <FilterButton
          isOpen={isOpen.value}
          controls={id}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        />
      </div>
      <SetFilters view={view} set={set} />
      <div id={id}>{isOpen.value && <Fields view={view} set={set} />}</div>
    </search>
  )
}

interface PartProps {
  readonly view: View
  readonly set: Set
}

function Dates({ view, set }: PartProps) {
  const { history } = t()
  const { query } = useLocation()
  const all = { days: undefined, from: undefined, to: undefined }
  const options = [
    { name: history.allTime, address: urlOf(query, all) },
    ...periods.map((one) => ({ name: history.periods[one], address: urlOf(query, { ...all, days: String(one) }) })),
  ]
  const own = urlOf(query, {})
  const chosen = view.from === null && view.to === null ? 0 : view.days === null ? -1 : periods.indexOf(view.days) + 1
  const last = view.to ?? (view.days === null ? "" : serviceToday())
  return (
    <>
      <div class="-ms-2.5">
        <Choice label={history.period} options={options} chosen={options[chosen]?.address ?? own} />
      </div>
      <div class="flex flex-wrap items-center gap-1">
        <DateField
          label={history.firstDay}
          value={view.from ?? ""}
          onSet={(from) => set({ days: undefined, from, to: view.to ?? undefined })}
        />
        <span aria-hidden="true">–</span>
        <DateField
          label={history.lastDay}
          value={last}
          onSet={(to) => set({ days: undefined, from: view.from ?? undefined, to })}
        />
      </div>
    </>
  )
}

interface DateFieldProps {
  readonly label: string
  readonly value: string
  readonly onSet: (value: string | undefined) => void
}

function DateField({ label, value, onSet }: DateFieldProps) {
  return (
    <input
      type="date"
      aria-label={label}
      title={label}
      class="input input-sm w-auto border-base-content/45 pointer-coarse:min-h-11"
      value={value}
      onChange={({ currentTarget }) => onSet(currentTarget.value || undefined)}
    />
  )
}

function SetFilters({ view, set }: PartProps) {
  const { history } = t()
  const { query } = useLocation()
  const { username: owner, user, from_user, kind, tag, q } = view
  const whose = useNameOf(query.username ?? null)
  const from = useNameOf(from_user)
  const to = useNameOf(user)
  const texts = {
    username: query.username === undefined || !isSuperuser() ? null : `${history.whose} ${whose ?? query.username}`,
    from_user: from_user && (from_user === owner ? history.given : `${history.from}: ${from ?? from_user}`),
    user: user && (user === owner ? history.received : `${history.to}: ${to ?? user}`),
    kind: kind && history.kindNames[kind],
    tag: tag && tagText(tag),
    q: q && `“${q}”`,
  }
  const chips = Object.entries(texts).flatMap(([key, text]) =>
    text === null ? [] : [{ key, text, onRemove: () => set({ ...(key === "username" && nobody), [key]: undefined }) }],
  )
  return <Chips of={chips} />
}

/** Direction, owner for superusers, sender, receiver, kind, tag and text. */
function Fields({ view, set }: PartProps) {
  const { history } = t()
  const { query } = useLocation()
  const { username: owner, user, from_user } = view
  const isIn = owner !== null && user === owner
  const isOut = owner !== null && from_user === owner
  // An address may contain a tag that was removed from the programme.
  const tags = [...new Set([...knownTags(), ...(view.tag === null ? [] : [view.tag])])]
  const directions = [
    { name: history.all, address: urlOf(query, nobody) },
    { name: history.received, address: urlOf(query, { ...nobody, user: owner ?? "" }) },
    { name: history.given, address: urlOf(query, { ...nobody, from_user: owner ?? "" }) },
  ]
  const chosen = directions[isIn ? 1 : isOut ? 2 : 0]?.address ?? ""

  return (
    <div class="grid gap-3 pb-2">
      {owner !== null && <Choice label={history.direction} options={directions} chosen={chosen} />}
      <div class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))] items-end gap-x-3 gap-y-3">
        {isSuperuser() && (
          <PersonFilter
            label={history.whose}
            isLabelled
            placeholder={history.anybody}
            username={query.username ?? null}
            onPick={(username) => set({ ...nobody, username })}
          />
        )}
        {!isOut && (
          <PersonFilter
            label={history.from}
            isLabelled
            placeholder={history.anybody}
            username={from_user}
            onPick={(picked) => set({ from_user: picked })}
          />
        )}
        {!isIn && (
          <PersonFilter
            label={history.to}
            isLabelled
            placeholder={history.anybody}
            username={user}
            onPick={(picked) => set({ user: picked })}
          />
        )}
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
                    {tagText(tag)}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        <TextFilter label={history.text} value={view.q} onSet={(q) => set({ q })} />
      </div>
    </div>
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

interface TextFilterProps {
  readonly label: string
  readonly value: string | null
  readonly onSet: (value: string | undefined) => void
}

/** Applies when the field is left or Enter is pressed. */
function TextFilter({ label, value, onSet }: TextFilterProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          type="text"
          id={id}
          maxLength={100}
          class="input w-full border-base-content/45"
          value={value ?? ""}
          onChange={({ currentTarget }) => onSet(currentTarget.value.trim() || undefined)}
        />
      )}
    </Labelled>
  )
}
