import type { ComponentChildren, TargetedEvent } from "preact"
import { useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { Choice } from "../../parts/choice.tsx"
import { PersonFilter } from "../../parts/filters.tsx"
import { me } from "../../session.ts"
import { knownTags, tagText } from "../../tags.ts"
import { t } from "../../texts/texts.ts"
import { kinds, urlOf, type View } from "./view.ts"

/** The filters of the history: direction, sender, receiver, kind, tag, text and days; for superusers also the owner. */
export function Filters({ view }: { view: View }) {
  const { history } = t()
  const { query, route } = useLocation()
  const { username: owner, user, from_user } = view
  const isIn = owner !== null && user === owner
  const isOut = owner !== null && from_user === owner
  // An address may contain a tag that was removed from the programme.
  const tags = [...new Set([...knownTags(), ...(view.tag === null ? [] : [view.tag])])]
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
