import { Gift, History, House, Settings2, Trophy, Users, UsersRound } from "lucide"
import { addresses } from "../addresses.ts"
import { isManager, mayOpen, seesLeaderboard } from "../rights.ts"
import { t } from "../texts/texts.ts"

/** A main screen, to which every screen links. */
interface NavigationItem {
  readonly address: string
  readonly icon: typeof House
  readonly name: () => string
  /** Whether it is for this user; absent: it is for everybody. */
  readonly isFor?: () => boolean
}

const allItems: readonly NavigationItem[] = [
  { address: addresses.home, icon: House, name: () => t().shell.home },
  { address: addresses.people, icon: Users, name: () => t().shell.people },
  { address: addresses.team, icon: UsersRound, name: () => t().shell.team, isFor: isManager },
  { address: addresses.leaderboard, icon: Trophy, name: () => t().shell.leaderboard, isFor: seesLeaderboard },
  { address: addresses.history, icon: History, name: () => t().shell.history },
  { address: addresses.rewards, icon: Gift, name: () => t().shell.rewards },
  { address: addresses.admin, icon: Settings2, name: () => t().shell.admin, isFor: () => mayOpen(addresses.admin) },
]

/** The main screens of this user. */
export const navigationItems = (): readonly NavigationItem[] =>
  allItems.filter(({ isFor }) => isFor === undefined || isFor())

const roomOnPhone = 5
/** What makes room on a phone, first to last. */
const leastNeeded: readonly string[] = [addresses.history, addresses.leaderboard]

/** The main screens for which a phone has no room: there, the account's menu links to them. */
export function leftOutOnPhone(): readonly NavigationItem[] {
  const items = navigationItems()
  const left = leastNeeded.slice(0, Math.max(0, items.length - roomOnPhone))
  return items.filter(({ address }) => left.includes(address))
}
