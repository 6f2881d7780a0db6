import type { FunctionComponent } from "preact"
import { lazy } from "preact-iso"
import { exec } from "preact-iso/router"
import { addresses } from "./addresses.ts"

export interface Screen {
  readonly address: string
  readonly component: FunctionComponent
  /** Begins to load it. */
  readonly preload: () => Promise<unknown>
  /** `shell`: for those who are logged in, with the navigation around it. `bare`: for anybody, nothing around it. */
  readonly frame: "shell" | "bare"
}

/** Every screen, loaded when it is visited. */
export const screens: readonly Screen[] = [
  screen("shell", addresses.home, async () => (await import("./screens/home/home.tsx")).Home),
  screen("shell", addresses.people, async () => (await import("./screens/people/people.tsx")).People),
  screen("shell", addresses.person, async () => (await import("./screens/person/person.tsx")).Person),
  screen(
    "shell",
    addresses.leaderboard,
    async () => (await import("./screens/leaderboard/leaderboard.tsx")).Leaderboard,
  ),
  screen("shell", addresses.me, async () => (await import("./screens/me/me.tsx")).Me),
  screen("shell", addresses.history, async () => (await import("./screens/history/history.tsx")).History),
  screen("shell", addresses.admin, async () => (await import("./screens/admin/administration.tsx")).Administration),
  screen("shell", addresses.adminNew, async () => (await import("./screens/admin/create.tsx")).Create),
  screen("shell", addresses.adminImport, async () => (await import("./screens/admin/import.tsx")).Import),
  screen("shell", addresses.adminServer, async () => (await import("./screens/admin/server.tsx")).Server),
  screen("shell", addresses.account, async () => (await import("./screens/admin/account.tsx")).Account),
  screen("bare", addresses.login, async () => (await import("./screens/login/login.tsx")).Login),
  screen("bare", addresses.forgot, async () => (await import("./screens/forgot/forgot.tsx")).Forgot),
  screen("bare", addresses.reset, async () => (await import("./screens/reset/reset.tsx")).Reset),
  screen("bare", addresses.wall, async () => (await import("./screens/wall/wall.tsx")).Wall),
]

/** The screen of a path, undefined where there is none. */
export const screenAt = (path: string): Screen | undefined =>
  screens.find(({ address }) => exec(path, address) !== undefined)

function screen(frame: Screen["frame"], address: string, load: () => Promise<FunctionComponent>): Screen {
  const component = lazy<FunctionComponent>(load)
  return { frame, address, component, preload: component.preload }
}
