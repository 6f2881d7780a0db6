import { useSignal } from "@preact/signals"
import { X } from "lucide"
import { useLayoutEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses, withQuery } from "../addresses.ts"
import { Choice } from "../parts/choice.tsx"
import { Icon } from "../parts/icon.tsx"
import { me, service } from "../session.ts"
import { fill } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** Which recognitions the feed shows: the query of its address. Absent: all. */
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

/** The filters of the home feed. Each has an address, so that it survives reload and back, and can be sent to somebody. */
export function FeedFilters({ of }: { of: FeedFilter }) {
  const { feed } = t()
  const { route } = useLocation()
  const text = useSignal(of.q ?? "")
  useLayoutEffect(() => {
    text.value = of.q ?? ""
  }, [of.q])
  const { about: _about, department: _department, ...rest } = of
  const tags = service.value?.tags ?? []
  const own = me.value?.dept ?? ""
  const whose = [
    { name: feed.everybody, address: addressOf(rest) },
    { name: feed.aboutMe, address: addressOf({ ...rest, about: "me" }) },
    { name: feed.myDepartment, address: addressOf({ ...rest, department: own }) },
    ...(of.department !== undefined && of.department !== own
      ? [{ name: of.department, address: addressOf({ ...rest, department: of.department }) }]
      : []),
  ]
  return (
    <div class="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <Choice label={feed.filter} options={whose} chosen={addressOf(of)} />
      <search class="grow">
        <form
          class="flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const { q: _q, ...others } = of
            route(addressOf(text.value.trim() === "" ? others : { ...others, q: text.value.trim() }))
          }}
        >
          {(tags.length > 0 || of.tag !== undefined) && (
            <select
              class="select select-sm w-auto border-base-content/45"
              aria-label={feed.tag}
              value={of.tag ?? ""}
              onChange={({ currentTarget: { value } }) => {
                const { tag: _tag, ...others } = of
                route(addressOf(value === "" ? others : { ...others, tag: value }))
              }}
            >
              <option value="">{feed.anyTag}</option>
              {[...new Set([...tags, ...(of.tag === undefined ? [] : [of.tag])])].map((tag) => (
                <option key={tag} value={tag}>
                  #{tag}
                </option>
              ))}
            </select>
          )}
          <input
            type="search"
            class="input input-sm w-36 flex-1 border-base-content/45"
            dir="auto"
            maxLength={100}
            aria-label={feed.search}
            placeholder={feed.search}
            value={text}
            onInput={(event) => {
              text.value = event.currentTarget.value
            }}
          />
        </form>
      </search>
      {of.username !== undefined && (
        <a href={addressOf(withoutPerson(of))} class="btn btn-sm gap-1 border-line font-normal">
          <bdi>{of.username}</bdi>
          <span class="sr-only">{fill(feed.without, { name: of.username })}</span>
          <Icon of={X} class="size-4" />
        </a>
      )}
    </div>
  )
}

function withoutPerson({ username: _username, ...rest }: FeedFilter): FeedFilter {
  return rest
}
