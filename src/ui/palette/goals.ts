import { addresses } from "../addresses.ts"
import { me } from "../session.ts"
import { t } from "../texts/texts.ts"

/** A screen that one goes to by `g` and a letter, and by its name. */
export interface Goal {
  readonly letter: string
  readonly address: string
  readonly name: () => string
  /** Not for others. */
  readonly forSuperusers?: true
}

const goals: readonly Goal[] = [
  { letter: "h", address: addresses.home, name: () => t().shell.home },
  { letter: "p", address: addresses.people, name: () => t().shell.people },
  { letter: "t", address: addresses.history, name: () => t().shell.history },
  { letter: "l", address: addresses.leaderboard, name: () => t().shell.leaderboard },
  { letter: "w", address: addresses.wall, name: () => t().shell.wall },
  { letter: "m", address: addresses.me, name: () => t().shell.me },
  { letter: "a", address: addresses.admin, name: () => t().shell.admin, forSuperusers: true },
]

/** Those that are open to whoever is logged in. */
export const ownGoals = (): readonly Goal[] =>
  goals.filter(({ forSuperusers }) => !forSuperusers || me.value?.role === "superuser")
