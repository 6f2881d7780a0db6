import { FileUp, HandCoins, Keyboard, Languages, LogOut, MonitorCog, Moon, Sun, UserPlus } from "lucide"
import { addresses } from "../addresses.ts"
import { chooseAppearance } from "../appearance.ts"
import { logOut, me } from "../session.ts"
import { languageNames } from "../texts/catalogues.ts"
import { chooseLanguage, language, t } from "../texts/texts.ts"
import type { Wish } from "./keys.ts"

/** One line of the palette that does something. */
export interface Act {
  readonly key: string
  readonly icon: typeof Sun
  readonly name: string
  /** The keys that do the same. */
  readonly keys?: string
  readonly run: () => void
}

interface Ways {
  readonly route: (address: string) => void
  readonly onWish: (wish: Wish) => void
}

/** What can be done from everywhere. */
export function actsFor({ route, onWish }: Ways): readonly Act[] {
  const { palette, shell, admin, health } = t()
  const forSuperusers: readonly Act[] = [
    { key: "create", icon: UserPlus, name: admin.create, run: () => route(addresses.adminNew) },
    { key: "import", icon: FileUp, name: admin.import, run: () => route(addresses.adminImport) },
    { key: "health", icon: MonitorCog, name: health.title, run: () => route(addresses.adminServer) },
  ]
  return [
    { key: "give", icon: HandCoins, name: palette.give, keys: "N", run: () => onWish({ kind: "give" }) },
    ...(me.value?.role === "superuser" ? forSuperusers : []),
    { key: "light", icon: Sun, name: named(shell.light), run: () => chooseAppearance("light") },
    { key: "dark", icon: Moon, name: named(shell.dark), run: () => chooseAppearance("dark") },
    { key: "device", icon: MonitorCog, name: named(shell.asDevice), run: () => chooseAppearance(null) },
    ...Object.entries(languageNames)
      .filter(([tag]) => tag !== language.value)
      .map(([tag, name]) => ({
        key: `language ${tag}`,
        icon: Languages,
        name: `${shell.language}: ${name}`,
        run: () => void chooseLanguage(tag),
      })),
    { key: "keys", icon: Keyboard, name: t().keys.title, keys: "?", run: () => onWish({ kind: "sheet" }) },
    { key: "out", icon: LogOut, name: shell.logOut, run: () => void logOut() },
  ]

  function named(look: string): string {
    return `${shell.appearance}: ${look}`
  }
}
