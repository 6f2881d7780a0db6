import { History, House, Settings2, Trophy, Users } from "lucide"
import { useLocation } from "preact-iso"
import { addresses } from "../addresses.ts"
import { Icon } from "../parts/icon.tsx"
import { unseenCount } from "../received/received.ts"
import { me } from "../session.ts"
import { fill } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

interface Place {
  readonly address: string
  readonly icon: typeof House
  readonly name: () => string
  /** Shown to superusers alone. */
  readonly forSuperusers?: true
}

/** The screens that one goes to from everywhere; at most five have room on a phone. */
const places: readonly Place[] = [
  { address: addresses.home, icon: House, name: () => t().shell.home },
  { address: addresses.people, icon: Users, name: () => t().shell.people },
  { address: addresses.leaderboard, icon: Trophy, name: () => t().shell.leaderboard },
  { address: addresses.history, icon: History, name: () => t().shell.history },
  { address: addresses.admin, icon: Settings2, name: () => t().shell.admin, forSuperusers: true },
]

export function Navigation() {
  const { path } = useLocation()
  const isSuperuser = me.value?.role === "superuser"
  const shown = places.filter(({ forSuperusers }) => !forSuperusers || isSuperuser)
  const count = unseenCount.value
  const isHere = (address: string) => (address === "/" ? path === "/" : path.startsWith(address))
  return (
    <nav aria-label={t().shell.navigation}>
      <ul class="flex lg:flex-col lg:gap-0.5">
        {shown.map(({ address, icon, name }) => (
          <li key={address} class="flex-1">
            <a
              href={address}
              aria-current={isHere(address) ? "page" : undefined}
              class="grid min-h-14 place-content-center justify-items-center gap-0.5 text-xs text-muted aria-[current]:text-primary lg:flex lg:min-h-9 lg:place-content-start lg:items-center lg:gap-3 lg:rounded-field lg:px-3 lg:text-[0.9375rem] lg:hover:bg-base-300/60 lg:aria-[current]:bg-base-300 lg:aria-[current]:text-base-content"
            >
              <span class="relative">
                <Icon of={icon} />
                {address === addresses.home && count !== null && <Badge text={count} />}
              </span>
              <span>
                {name()}
                {address === addresses.home && count !== null && (
                  <span class="sr-only"> {fill(t().received.count, { count })}</span>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Badge({ text }: { text: string }) {
  return (
    <span
      aria-hidden="true"
      class="absolute start-1/2 bottom-1/2 min-w-4.5 rounded-full bg-primary px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-primary-content tabular-nums"
    >
      {text}
    </span>
  )
}
