import { signal, useSignal } from "@preact/signals"
import { useEffect, useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { Chips, FilterButton } from "../parts/chips.tsx"
import { useNameOf } from "../people.ts"
import { me } from "../session.ts"
import { tagText } from "../tags.ts"
import { t } from "../texts/texts.ts"
import { addressOf, type FeedFilter, filterNames } from "./feed-filter.ts"

/** Loaded once the feed is shown, so that the first visit shows its page sooner. */
const fields = signal<typeof import("./filter-fields.tsx") | null>(null)

async function loadFields() {
  fields.value ??= await import("./filter-fields.tsx")
}

/** The filters of the home feed. They are in the address, so that they survive reload and back, and can be shared. */
export function FeedFilters({ of }: { of: FeedFilter }) {
  const { feed } = t()
  const { route } = useLocation()
  const isOpen = useSignal(false)
  const id = useId()
  useEffect(() => void loadFields().catch(() => {}), [])
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
      <FilterButton
        isOpen={isOpen.value}
        controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
          void loadFields().catch(() => {})
        }}
      />
      <ChipsOf filter={of} onRemove={(name) => set(name, undefined)} />
      <div id={id} class={isOpen.value ? "grid basis-full gap-2 pb-2 print:hidden" : "hidden"}>
        {isOpen.value && fields.value !== null && <fields.value.FilterFields of={of} whose={whose} onSet={set} />}
      </div>
    </>
  )
}

function ChipsOf({ filter, onRemove }: { filter: FeedFilter; onRemove: (name: keyof FeedFilter) => void }) {
  const { feed } = t()
  const person = useNameOf(filter.username ?? null)
  const texts: { readonly [Name in keyof FeedFilter]: string | null } = {
    about: feed.aboutMe,
    department: filter.department ?? "",
    tag: tagText(filter.tag ?? ""),
    username: person,
    q: `“${filter.q}”`,
  }
  const chips = filterNames
    .filter((name) => filter[name] !== undefined)
    .map((name) => ({ key: name, text: texts[name] ?? "", onRemove: () => onRemove(name) }))
  return <Chips of={chips} />
}
