import { fill } from "../../../languages/writing.ts"
import { addresses, personAddress } from "../../addresses.ts"
import { NotFound } from "../../parts/placeholders.tsx"
import { management } from "../../people.ts"
import type { Duty } from "../../rights.ts"
import { useTitle } from "../../screen.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { locale, t } from "../../texts/texts.ts"

/** How many superusers are named at most. */
const maxNamed = 5

const useSuperusers = createQuery((_: null) => request(api.api.v1.people.get({ query: { department: management } })))

/** Stands in place of a screen of the administration that is not for the user: what opens it, and whom to ask for that. */
export function Needed({ duties }: { duties: readonly Duty[] }) {
  const { missing, needed, roles } = t()
  const [duty, ...others] = duties
  const title =
    duty === undefined
      ? needed.superuser
      : others.length > 0
        ? needed.anyDuty
        : fill(needed.duty, { duty: roles.names[duty] })
  useTitle(title)
  const [before, after] = (duty === undefined ? needed.askSuperuser : needed.ask).split("{names}")
  const people = peopleToAsk(useSuperusers(null).data?.items ?? [])
  return (
    <NotFound title={title} to={addresses.home} link={missing.back}>
      {people.length > 0 && (
        <>
          {before}
          {new Intl.ListFormat(locale.value, { type: "disjunction" })
            .formatToParts(people.map((_, index) => String(index)))
            .map(({ type, value }) => {
              const person = type === "element" ? people[Number(value)] : undefined
              return person === undefined ? (
                value
              ) : (
                <a key={person.username} dir="auto" class="link" href={personAddress(person.username)}>
                  {person.name}
                </a>
              )
            })}
          {after}
        </>
      )}
    </NotFound>
  )
}

interface Person {
  readonly username: string
  readonly name: string
}

/** `admin`, who is the account of the installation, only where there is nobody else. */
function peopleToAsk(superusers: readonly Person[]): readonly Person[] {
  const people = superusers.filter(({ username }) => username !== "admin")
  return (people.length > 0 ? people : superusers).slice(0, maxNamed)
}
