import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { Choice } from "../parts/choice.tsx"
import { PersonFilter } from "../parts/filters.tsx"
import { useDepartments } from "../people.ts"
import { knownTags, tagText } from "../tags.ts"
import { t } from "../texts/texts.ts"
import { addressOf, type FeedFilter } from "./feed-filter.ts"

interface FilterFieldsProps {
  readonly of: FeedFilter
  /** Whom the entries concern, as addresses. */
  readonly whose: readonly { readonly name: string; readonly address: string }[]
  readonly onSet: (name: keyof FeedFilter, value: string | undefined) => void
}

/** The fields behind the button that opens the filters of the feed. */
export function FilterFields({ of, whose, onSet }: FilterFieldsProps) {
  const { feed } = t()
  return (
    <>
      <Choice label={feed.whose} options={whose} chosen={addressOf(of)} />
      <search class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(13rem,35%)),1fr))] gap-2">
        <PersonFilter
          label={feed.person}
          placeholder={feed.person}
          username={of.username ?? null}
          onPick={(username) => onSet("username", username)}
        />
        <DepartmentFilter chosen={of.department} onChoose={(name) => onSet("department", name)} />
        <TagFilter chosen={of.tag} onChoose={(tag) => onSet("tag", tag)} />
        <TextFilter text={of.q ?? ""} onText={(q) => onSet("q", q)} />
      </search>
    </>
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
