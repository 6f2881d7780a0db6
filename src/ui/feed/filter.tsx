import { signal, useSignal } from "@preact/signals"
import { ListFilter, X } from "lucide"
import { useEffect, useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { Icon } from "../parts/icon.tsx"
import { useNameOf } from "../people.ts"
import { me } from "../session.ts"
import { tagText } from "../tags.ts"
import { fill } from "../texts/format.ts"
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
      <button
        type="button"
        class="btn btn-ghost btn-sm ms-auto -me-2 gap-1.5 font-normal text-muted print:hidden"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
          void loadFields().catch(() => {})
        }}
      >
        <Icon of={ListFilter} class="size-4" />
        {feed.filter}
      </button>
      <Chips of={of} onRemove={(name) => set(name, undefined)} />
      <div id={id} class={isOpen.value ? "grid basis-full gap-2 pb-2 print:hidden" : "hidden"}>
        {isOpen.value && fields.value !== null && <fields.value.FilterFields of={of} whose={whose} onSet={set} />}
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
  const shown = filterNames.filter((name) => of[name] !== undefined)
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
