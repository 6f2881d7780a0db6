import { useSignal } from "@preact/signals"
import { personAt } from "../addresses.ts"
import { me } from "../session.ts"
import { formatPlural } from "../texts/format.ts"
import { perLocale } from "../texts/intl.ts"
import { t } from "../texts/texts.ts"
import type { Party } from "./thanks.ts"

const lists = perLocale((tag) => new Intl.ListFormat(tag))

/** So many names are read at a glance. */
const atAGlance = 3

/** Names with the language's own commas, each leading to the person; of many the first, and the rest when asked for. */
export function Parties({ of }: { of: readonly Party[] }) {
  const showsAll = useSignal(false)
  const shown = showsAll.value || of.length <= atAGlance + 1 ? of : of.slice(0, atAGlance)
  const rest = of.length - shown.length
  const more = formatPlural(rest, t().feed.more)
  const parts = lists().formatToParts([...shown.map(({ username }) => username), ...(rest > 0 ? [more] : [])])
  const elements = parts.filter(({ type }) => type === "element")
  return parts.map((part, index) => {
    if (part.type === "literal") return part.value
    const person = shown[elements.indexOf(part)]
    if (person !== undefined) return <Name key={person.username} of={person} you={t().feed.youTo} />
    return (
      <button key={index} type="button" class="link link-hover text-muted" onClick={() => (showsAll.value = true)}>
        {more}
      </button>
    )
  })
}

/** A name that leads to its person; `you` stands for the name of whoever is logged in. */
export function Name({ of: { username, name }, you }: { of: Pick<Party, "username" | "name">; you: string }) {
  return (
    <a href={personAt(username)} dir="auto" class="font-semibold hover:underline">
      {username === me.value?.username ? you : name}
    </a>
  )
}
