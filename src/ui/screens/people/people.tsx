import { useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses } from "../../addresses.ts"
import { Unloaded } from "../../parts/unloaded.tsx"
import { useRowKeys } from "../../parts/use-row-keys.ts"
import { useTitle } from "../../parts/use-title.ts"
import { useDepartments } from "../../people/departments.ts"
import { withQuery } from "../../query.ts"
import type { Place } from "../../screens.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { question } from "../../server/question.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { Departments } from "./departments.tsx"
import { PersonRow, RowSkeletons } from "./person-row.tsx"
import { Search } from "./search.tsx"

/** What the address asks for: the same names as the server's. */
interface Asked {
  readonly q: string
  readonly department: string
  readonly after: string
}

const askedOf = ({ q = "", department = "", after = "" }: Place["query"]): Asked => ({ q, department, after })

const size = "40"

const usePeople = question(({ q, department, after }: Asked) =>
  ask(
    api.api.v1.people.get({
      query: { size, ...(q && { q }), ...(department && { department }), ...(after && { after }) },
    }),
  ),
)

/** Everybody, to look for and to look through. */
export function People() {
  const { people } = t()
  const { query, route } = useLocation()
  const asked = askedOf(query)
  const { q, department, after } = asked
  const { data, failure, isLate, refresh } = usePeople(asked)
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLInputElement>(null)
  useTitle(people.title)
  useRowKeys(list, box)

  return (
    <>
      <h1 class="text-xl font-semibold tracking-tight">{people.title}</h1>
      <search class="mt-5 flex flex-wrap gap-3">
        <Search
          text={q}
          input={box}
          onText={(text) => route(withQuery(addresses.people, { q: text, department }), true)}
        />
        <Departments
          chosen={department}
          onChoose={(name) => route(withQuery(addresses.people, { q, department: name }))}
        />
      </search>
      <div class="mt-4" aria-busy={isLate}>
        {failure !== null ? (
          <Unloaded failure={failure} onRetry={refresh} />
        ) : data === null ? (
          <RowSkeletons />
        ) : (
          <ul ref={list}>
            {data.items.map((person) => (
              <li key={person.username}>
                <PersonRow of={person} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {data !== null && failure === null && (
        <>
          {data.items.length === 0 && <Nobody q={q} />}
          <Pages first={after !== ""} next={data.next} {...{ q, department }} />
        </>
      )}
    </>
  )
}

People.ahead = ({ query }: Place) => Promise.all([usePeople.ahead(askedOf(query)), useDepartments.ahead(null)])

function Nobody({ q }: { q: string }) {
  const { people } = t()
  return (
    <div role="status" class="grid justify-items-start gap-3 py-6">
      <p dir="auto">{q === "" ? people.nobody : fill(people.noneFits, { text: q })}</p>
      <a href={addresses.people} class="btn btn-outline border-line font-medium">
        {people.everybody}
      </a>
    </div>
  )
}

interface PagesProps extends Pick<Asked, "q" | "department"> {
  /** Whether the first page is another one. */
  readonly first: boolean
  readonly next: string | null
}

function Pages({ first, next, ...kept }: PagesProps) {
  const { people } = t()
  if (!first && next === null) return null
  return (
    <nav aria-label={people.pages} class="mt-4 flex justify-between gap-3">
      {first && (
        <a href={withQuery(addresses.people, kept)} class="btn btn-outline border-line font-medium">
          {people.first}
        </a>
      )}
      {next !== null && (
        <a
          href={withQuery(addresses.people, { ...kept, after: next })}
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
