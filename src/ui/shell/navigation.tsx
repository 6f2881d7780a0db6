import { History, House, Settings2, Trophy, Users } from "lucide"
import { useLocation } from "preact-iso"
import { addresses } from "../addresses.ts"
import { Icon } from "../parts/icon.tsx"
import { me } from "../session.ts"
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
  const isHere = (address: string) => (address === "/" ? path === "/" : path.startsWith(address))
  return (
    <nav
      aria-label={t().shell.navigation}
      class="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-base-100/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-sm lg:static lg:border-0 lg:bg-transparent lg:pb-0 lg:backdrop-blur-none"
    >
      <ul class="flex lg:flex-col lg:gap-0.5">
        {shown.map(({ address, icon, name }) => (
          <li key={address} class="flex-1">
            <a
              href={address}
              aria-current={isHere(address) ? "page" : undefined}
              class="grid min-h-14 place-content-center justify-items-center gap-0.5 text-xs text-muted aria-[current]:text-primary lg:flex lg:min-h-9 lg:place-content-start lg:items-center lg:gap-3 lg:rounded-field lg:px-3 lg:text-[0.9375rem] lg:hover:bg-base-300/60 lg:aria-[current]:bg-base-300 lg:aria-[current]:text-base-content"
            >
              <Icon of={icon} />
              {name()}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
