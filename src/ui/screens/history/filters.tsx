import { useLocation } from "preact-iso"
import { Choice } from "../../parts/choice.tsx"
import { me } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { PersonFilter } from "./person-filter.tsx"
import { urlOf, type View } from "./view.ts"

/** Which entries are shown. Of one person's history what came or what went, of everybody's whose it is as well. */
export function Filters({ view }: { view: View }) {
  const { history } = t()
  const { query, route } = useLocation()
  const { username: owner, user, from_user } = view
  const isIn = owner !== null && user === owner
  const isOut = owner !== null && from_user === owner
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
            username={query.username ?? null}
            onPick={(username) => set({ ...nobody, username })}
          />
        )}
        {!isOut && (
          <PersonFilter label={history.from} username={from_user} onPick={(picked) => set({ from_user: picked })} />
        )}
        {!isIn && <PersonFilter label={history.to} username={user} onPick={(picked) => set({ user: picked })} />}
      </div>
    </search>
  )
}
