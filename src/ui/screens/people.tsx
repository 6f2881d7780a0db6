import { Search as Lens } from "lucide"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../languages/writing.ts"
import { addresses, personAddress, withQuery } from "../addresses.ts"
import { loadUpcoming, UpcomingPart } from "../occasions/upcoming-part.tsx"
import { Avatar } from "../parts/avatar.tsx"
import { Choice } from "../parts/choice.tsx"
import { useAutofocus } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { Empty, LoadFailure, Skeleton } from "../parts/placeholders.tsx"
import { useDepartments } from "../people.ts"
import { hasDuty } from "../rights.ts"
import { type ScreenLocation, useTitle } from "../screen.ts"
import { api, request } from "../server/api.ts"
import { createQuery } from "../server/query.ts"
import { formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** The parameters of the address, named like the server's. */
interface PeopleRequest {
  readonly q: string
  readonly department: string
  /** "false": deactivated accounts, for those who maintain accounts. Empty: active ones. */
  readonly active: "false" | ""
  readonly after: string
}

const requestOf = ({ q = "", department = "", active, after = "" }: ScreenLocation["query"]): PeopleRequest => ({
  q,
  department,
  active: active === "false" && hasDuty("people") ? active : "",
  after,
})

const size = "40"
const shownOccasions = 3

const usePeople = createQuery(({ q, department, active, after }: PeopleRequest) =>
  request(
    api.api.v1.people.get({
      query: {
        size,
        ...(q && { q }),
        ...(department && { department }),
        ...(active && { active }),
        ...(after && { after }),
      },
    }),
  ),
)

/** The list of people, with a search field and a choice of department; those who maintain accounts also find deactivated ones. */
export function People() {
  const { people } = t()
  const { query, route } = useLocation()
  const params = requestOf(query)
  const { q, department, active, after } = params
  const isInactive = active !== ""
  const { data, failure, isStale, refresh } = usePeople(params)
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLInputElement>(null)
  useTitle(isInactive ? `${people.title}: ${people.inactive}` : people.title)
  useArrowKeys(list, box)

  return (
    <>
      <h1 class="text-xl font-semibold tracking-tight">{people.title}</h1>
      <search class="mt-5 flex flex-wrap gap-3">
        <Search
          text={q}
          input={box}
          onText={(text) => route(withQuery(addresses.people, { q: text, department, active }), true)}
        />
        <Departments
          chosen={department}
          active={active || null}
          onChoose={(name) => route(withQuery(addresses.people, { q, department: name, active }))}
        />
      </search>
      {hasDuty("people") && <Accounts {...{ q, department, active }} />}
      {q === "" && department === "" && after === "" && !isInactive && (
        <UpcomingPart most={shownOccasions} class="mt-4" />
      )}
      <div class="mt-4" aria-busy={isStale}>
        {failure !== null ? (
          <LoadFailure failure={failure} onRetry={refresh} />
        ) : data === null ? (
          <RowSkeletons />
        ) : (
          <ul ref={list}>
            {data.items.map((person) => (
              <li key={person.username}>
                <PersonRow of={person} isInactive={isInactive} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {data !== null && failure === null && (
        <>
          {data.items.length === 0 && <Nobody q={q} isInactive={isInactive} />}
          <Pages first={after !== ""} next={data.next} {...{ q, department, active }} />
        </>
      )}
    </>
  )
}

People.prefetch = ({ query }: ScreenLocation) => {
  const params = requestOf(query)
  return Promise.all([usePeople.prefetch(params), useDepartments.prefetch(params.active || null), loadUpcoming()])
}

/** Lets those who maintain accounts choose between active and deactivated accounts. */
function Accounts({ active, ...filters }: Pick<PeopleRequest, "q" | "department" | "active">) {
  const { people } = t()
  const addressOf = (one: PeopleRequest["active"]) => withQuery(addresses.people, { ...filters, active: one })
  return (
    <div class="mt-3">
      <Choice
        label={people.whose}
        options={[
          { name: people.active, address: addressOf("") },
          { name: people.inactive, address: addressOf("false") },
        ]}
        chosen={addressOf(active)}
      />
    </div>
  )
}

function Nobody({ q, isInactive }: { q: string; isInactive: boolean }) {
  const { people } = t()
  const nobody = isInactive ? people.nobodyInactive : people.nobody
  return (
    <div role="status">
      <Empty drawing="search">
        <p dir="auto">{q === "" ? nobody : fill(people.noneFits, { text: q })}</p>
        <a href={addresses.people} class="btn btn-outline border-line font-medium">
          {people.everybody}
        </a>
      </Empty>
    </div>
  )
}

interface PagesProps extends Pick<PeopleRequest, "q" | "department" | "active"> {
  /** Whether to link to the first page. */
  readonly first: boolean
  readonly next: string | null
}

function Pages({ first, next, ...filters }: PagesProps) {
  const { people } = t()
  if (!first && next === null) return null
  return (
    <nav aria-label={people.pages} class="mt-4 flex justify-between gap-3">
      {first && (
        <a href={withQuery(addresses.people, filters)} class="btn btn-outline border-line font-medium">
          {people.first}
        </a>
      )}
      {next !== null && (
        <a
          href={withQuery(addresses.people, { ...filters, after: next })}
          rel="next"
          class="btn btn-outline ms-auto border-line font-medium"
          onClick={() => scrollTo(0, 0)}
        >
          {people.next}
        </a>
      )}
    </nav>
  )
}

/** Waits for a pause in typing before each request. */
const pauseMs = 120

interface SearchProps {
  /** The text in the address. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly input: RefObject<HTMLInputElement | null>
}

/** A search field whose text becomes part of the address. */
function Search({ text, onText, input }: SearchProps) {
  const { people } = t()
  const [typed, setTyped] = useState(text)
  const lastText = useRef(text)
  const onLatestText = useRef(onText) // a filter may be chosen while the text waits
  onLatestText.current = onText
  useAutofocus(input)

  useLayoutEffect(() => {
    // Takes over text only from navigation; the field already contains what was typed here.
    if (text !== lastText.current) setTyped(text)
    lastText.current = text
  }, [text])
  useLayoutEffect(() => {
    const trimmed = typed.trim()
    if (trimmed === lastText.current) return
    const { pathname } = location
    const timer = setTimeout(() => {
      if (location.pathname !== pathname) return // a link was followed, and its screen is still loading
      lastText.current = trimmed
      onLatestText.current(trimmed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <label class="input grow border-base-content/45">
      <Icon of={Lens} class="size-4.5 text-muted" />
      <input
        ref={input}
        type="search"
        dir="auto"
        class="grow"
        aria-label={people.search}
        placeholder={people.searchHint}
        value={typed}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}

interface DepartmentsProps {
  /** Empty for all departments. */
  readonly chosen: string
  /** "false" for the departments of people who left. */
  readonly active: "false" | null
  readonly onChoose: (name: string) => void
}

/** Filters by department. */
function Departments({ chosen, active, onChoose }: DepartmentsProps) {
  const { people } = t()
  const { data } = useDepartments(active)
  const departments = data?.items ?? []
  const all = departments.reduce((sum, one) => sum + one.people, 0)
  const isListed = chosen === "" || departments.some(({ name }) => name === chosen)
  return (
    <select
      class="select w-auto max-w-full border-base-content/45 sm:max-w-60"
      aria-label={people.department}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{counted(people.departments, data ? all : null)}</option>
      {!isListed && <option value={chosen}>{chosen}</option>}
      {departments.map((one) => (
        <option key={one.name} value={one.name}>
          {counted(one.name, one.people)}
        </option>
      ))}
    </select>
  )
}

const counted = (name: string, count: number | null) => (count === null ? name : `${name} (${formatNumber(count)})`)

interface Face {
  readonly username: string
  readonly name: string
  readonly dept: string
  readonly avatar: string | null
}

/** A person in the list, as a link to the person's page. */
function PersonRow({ of: { username, name, dept, avatar }, isInactive }: { of: Face; isInactive: boolean }) {
  return (
    <a
      href={personAddress(username)}
      class="-mx-3 flex min-h-15 items-center gap-3 rounded-field px-3 py-2 hover:bg-base-300/50"
    >
      <Avatar name={name} username={username} src={avatar} />
      {/* The department wraps to the next line when the text is large. */}
      <span class="flex min-w-0 grow flex-wrap items-center gap-x-3">
        <span class="min-w-0 grow basis-32">
          <span class="block wrap-anywhere font-medium">
            <bdi>{name}</bdi>
          </span>
          <span class="block wrap-anywhere text-sm text-muted">
            <bdi>{username}</bdi>
            {isInactive && ` · ${t().person.inactive}`}
          </span>
        </span>
        <span class="max-w-full text-sm wrap-anywhere text-muted">
          <bdi>{dept}</bdi>
        </span>
      </span>
    </a>
  )
}

function RowSkeletons() {
  return Array.from({ length: 8 }, (_, index) => (
    <div key={index} class="flex min-h-15 items-center gap-3 py-2">
      <Skeleton class="size-10 rounded-full" />
      <span class="grid gap-1.5">
        <Skeleton class="h-3.5 w-40" />
        <Skeleton class="h-3 w-24" />
      </span>
    </div>
  ))
}

/** Arrow keys move the focus between the links of a list and the field above it. */
function useArrowKeys(list: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      const stops = [box.current, ...(list.current?.querySelectorAll("a") ?? [])]
      const place = stops.findIndex((one) => one?.matches(":focus"))
      const next = place === -1 ? undefined : stops[place + step]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])
}
