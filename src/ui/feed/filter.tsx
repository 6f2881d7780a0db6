import { useSignal } from "@preact/signals"
import { ListFilter, X } from "lucide"
import { useId, useLayoutEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses, withQuery } from "../addresses.ts"
import { Choice } from "../parts/choice.tsx"
import { PersonFilter } from "../parts/filters.tsx"
import { Icon } from "../parts/icon.tsx"
import { useDepartments, useNameOf } from "../people.ts"
import { me } from "../session.ts"
import { knownTags, tagText } from "../tags.ts"
import { fill } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** Which recognitions the feed shows, from the query of its address. An absent field selects all. */
export interface FeedFilter {
  readonly about?: string
  readonly department?: string
  readonly tag?: string
  readonly username?: string
  readonly q?: string
}

const names = ["about", "department", "tag", "username", "q"] as const

/** The filter of an address. */
export const filterOf = (query: Readonly<Record<string, string>>): FeedFilter =>
  Object.fromEntries(
    names
      .filter((name) => query[name] && (name !== "about" || query[name] === "me"))
      .map((name) => [name, query[name]]),
  )

export const isFiltered = (filter: FeedFilter): boolean => names.some((name) => filter[name] !== undefined)

const addressOf = (filter: FeedFilter): string => withQuery(addresses.home, { ...filter })

/** The filters of the home feed. They are in the address, so that they survive reload and back, and can be shared. */
export function FeedFilters({ of }: { of: FeedFilter }) {
  const { feed } = t()
  const { route } = useLocation()
  const isOpen = useSignal(false)
  const id = useId()
  const own = me.value?.dept ?? ""
  const { about: _about, department: _department, ...rest } = of
  const whose = [
    { name: feed.everybody, address: addressOf(rest) },
    { name: feed.aboutMe, address: addressOf({ ...rest, about: "me" }) },
    { name: feed.myDepartment, address: addressOf({ ...rest, department: own }) },
  ]
  const set = (name: keyof FeedFilter, value: string | undefined) => {
    const { [name]: _before, ...others } = of
    route(addressOf(value === undefined || value === "" ? others : { ...others, [name]: value }))
  }
  return (
    <>
      <button
        type="button"
        class="btn btn-ghost btn-sm ms-auto -me-2 gap-1.5 font-normal text-muted print:hidden"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon of={ListFilter} class="size-4" />
        {feed.filter}
      </button>
      <Chips of={of} onRemove={(name) => set(name, undefined)} />
      <div id={id} class={isOpen.value ? "grid basis-full gap-2 pb-2 print:hidden" : "hidden"}>
        {isOpen.value && (
          <>
            <Choice label={feed.whose} options={whose} chosen={addressOf(of)} />
            <search class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(13rem,35%)),1fr))] gap-2">
              <PersonFilter
                label={feed.person}
                placeholder={feed.person}
                username={of.username ?? null}
                onPick={(username) => set("username", username)}
              />
              <DepartmentFilter chosen={of.department} onChoose={(name) => set("department", name)} />
              <TagFilter chosen={of.tag} onChoose={(tag) => set("tag", tag)} />
              <TextFilter text={of.q ?? ""} onText={(q) => set("q", q)} />
            </search>
          </>
        )}
      </div>
    </>
  )
}

/** What is set, each with a button that removes it. */
function Chips({ of, onRemove }: { of: FeedFilter; onRemove: (name: keyof FeedFilter) => void }) {
  const { feed } = t()
  const person = useNameOf(of.username ?? null)
  const texts: { readonly [Name in keyof FeedFilter]: string | null } = {
    about: feed.aboutMe,
    department: of.department ?? "",
    tag: tagText(of.tag ?? ""),
    username: person,
    q: `“${of.q}”`,
  }
  const shown = names.filter((name) => of[name] !== undefined)
  if (shown.length === 0) return null
  return (
    <ul aria-label={feed.filtered} class="flex basis-full flex-wrap gap-1.5">
      {shown.map((name) => (
        <li key={name}>
          <button
            type="button"
            class="inline-flex min-h-8 cursor-pointer items-center gap-1 rounded-full bg-primary/10 ps-3 pe-2 text-sm text-primary pointer-coarse:min-h-11"
            aria-label={fill(t().parts.withoutPerson, { name: texts[name] ?? "" })}
            onClick={() => onRemove(name)}
          >
            <span dir="auto">{texts[name]}</span>
            <Icon of={X} class="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface SelectProps {
  readonly chosen: string | undefined
  readonly onChoose: (value: string) => void
}

function DepartmentFilter({ chosen, onChoose }: SelectProps) {
  const { feed } = t()
  const { data } = useDepartments(null)
  const names = data?.items.map(({ name }) => name) ?? []
  return (
    <Select
      label={feed.department}
      any={feed.anyDepartment}
      options={names.map((name) => ({ value: name, name }))}
      {...{ chosen, onChoose }}
    />
  )
}

function TagFilter({ chosen, onChoose }: SelectProps) {
  const { feed } = t()
  const tags = knownTags()
  if (tags.length === 0 && chosen === undefined) return null
  return (
    <Select
      label={feed.tag}
      any={feed.anyTag}
      options={tags.map((tag) => ({ value: tag, name: tagText(tag) }))}
      {...{ chosen, onChoose }}
    />
  )
}

interface Option {
  readonly value: string
  readonly name: string
}

/** Lists the value from the address even if it no longer exists. */
function Select(props: SelectProps & { label: string; any: string; options: readonly Option[] }) {
  const { label, any, options, chosen = "", onChoose } = props
  const isListed = chosen === "" || options.some(({ value }) => value === chosen)
  return (
    <select
      class="select w-full border-base-content/45"
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChoose(value)}
    >
      <option value="">{any}</option>
      {[...options, ...(isListed ? [] : [{ value: chosen, name: chosen }])].map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}

function TextFilter({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { feed } = t()
  const typed = useSignal(text)
  useLayoutEffect(() => {
    typed.value = text
  }, [text])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onText(typed.value.trim())
      }}
    >
      <input
        type="search"
        class="input w-full border-base-content/45"
        dir="auto"
        maxLength={100}
        aria-label={feed.search}
        placeholder={feed.search}
        value={typed}
        onInput={(event) => {
          typed.value = event.currentTarget.value
        }}
      />
    </form>
  )
}
