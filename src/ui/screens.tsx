import { type FunctionComponent, h } from "preact"
import { useLayoutEffect } from "preact/hooks"
import { lazy } from "preact-iso"
import { exec } from "preact-iso/router"
import { addresses, screenTexts } from "./addresses.ts"
import { storedValue } from "./browser-storage.ts"
import { Button, useAction } from "./parts/button.tsx"
import { Missing } from "./parts/placeholders.tsx"
import { dutiesFor, mayOpen, seesLeaderboard } from "./rights.ts"
import { type ScreenComponent, useTitle } from "./screen.ts"
import { fetchJson } from "./server/api.ts"
import { retryDelay, untilCleanup } from "./server/retry.ts"
import { me, sessionKnown } from "./session.ts"
import { formatNumber } from "./texts/format.ts"
import { loadTexts, t } from "./texts/texts.ts"

export interface Screen {
  readonly address: string
  readonly component: FunctionComponent
  /** Starts loading the screen's module. */
  readonly preload: () => Promise<ScreenComponent>
  /** `shell`: for logged-in users, inside the navigation. `bare`: for everybody, without a frame. */
  readonly frame: "shell" | "bare"
}

/** Every screen. Each is loaded on the first visit. */
export const screens: readonly Screen[] = [
  screen("shell", "home", async () => (await import("./screens/home/home.tsx")).Home),
  screen("shell", "people", async () => (await import("./screens/people.tsx")).People),
  screen("shell", "person", async () => (await import("./screens/person/person.tsx")).Person),
  screen("shell", "recognition", async () => (await import("./screens/recognition.tsx")).Recognition),
  screen("shell", "leaderboard", async () =>
    forLeaderboardReaders((await import("./screens/leaderboard.tsx")).Leaderboard),
  ),
  screen("shell", "team", async () => (await import("./screens/team/team.tsx")).Team),
  screen("shell", "recap", async () => (await import("./screens/recap/recap.tsx")).Recap),
  screen("shell", "recapOf", async () => (await import("./screens/recap/recap.tsx")).Recap),
  screen("shell", "rewards", async () => (await import("./screens/rewards/rewards.tsx")).Rewards),
  screen("shell", "me", async () => (await import("./screens/me/me.tsx")).Me),
  screen("shell", "history", async () => (await import("./screens/history/history.tsx")).History),
  screen("shell", "admin", async () => (await import("./screens/admin/administration.tsx")).Administration),
  screen("shell", "adminNew", async () => (await import("./screens/admin/create.tsx")).Create),
  screen("shell", "adminImport", async () => (await import("./screens/admin/import.tsx")).Import),
  screen("shell", "adminRewards", async () => (await import("./screens/admin/rewards.tsx")).AdminRewards),
  screen("shell", "adminServer", async () => (await import("./screens/admin/server.tsx")).Server),
  screen("shell", "adminAllowances", async () => (await import("./screens/admin/allowances.tsx")).Allowances),
  screen("shell", "adminDepartments", async () => (await import("./screens/admin/departments.tsx")).Departments),
  screen("shell", "adminTokens", async () => (await import("./screens/admin/tokens.tsx")).ServiceTokens),
  screen("shell", "adminWebhooks", async () => (await import("./screens/admin/webhooks.tsx")).Webhooks),
  screen("shell", "adminInsights", async () => (await import("./screens/admin/insights.tsx")).Insights),
  screen(
    "shell",
    "adminProgramme",
    async () => (await import("./screens/admin/programme/programme.tsx")).ProgrammeScreen,
  ),
  screen("shell", "account", async () => (await import("./screens/admin/account.tsx")).Account),
  screen("bare", "login", async () => (await import("./screens/login.tsx")).Login),
  screen("bare", "forgot", async () => (await import("./screens/forgot.tsx")).Forgot),
  screen("bare", "reset", async () => (await import("./screens/reset.tsx")).Reset),
  screen("bare", "wall", async () => (await import("./screens/wall/wall.tsx")).Wall),
]

/** The screen of a path; undefined if there is none. */
export const screenAt = (path: string): Screen | undefined =>
  screens.find(({ address }) => exec(path, address) !== undefined)

/** Loads the screen of the initial address and prefetches its data. */
export async function preloadLocation({ pathname, search }: Pick<Location, "pathname" | "search">): Promise<void> {
  const screen = screenAt(pathname)
  const [component] = await Promise.all([screen?.preload(), sessionKnown()])
  if (screen === undefined || me.value === null) return
  const { params } = exec(pathname, screen.address) ?? { params: {} }
  const query = Object.fromEntries(new URLSearchParams(search))
  // The first use of Intl takes 10 ms: do it while the response is on its way.
  setTimeout(() => formatNumber(0))
  await component?.prefetch?.({ params, query }, me.value)
}

function screen(frame: Screen["frame"], name: keyof typeof addresses, load: () => Promise<ScreenComponent>): Screen {
  const address = addresses[name]
  const component = lazy<ScreenComponent>(() =>
    Promise.all([load(), loadTexts(screenTexts[name])]).then(
      ([loaded]) => {
        resetReloads()
        return address.startsWith(addresses.admin) ? shownIf(() => mayOpen(address), loaded, needed(address)) : loaded
      },
      () => NotLoaded,
    ),
  )
  return { frame, address, component, preload: component.preload }
}

const forLeaderboardReaders = (Screen: ScreenComponent) => shownIf(seesLeaderboard, Screen)

/** Says which duty opens a screen of the administration. */
const needed = (address: string): FunctionComponent =>
  lazy(async () => {
    const [{ Needed }] = await Promise.all([import("./screens/admin/needed.tsx"), loadTexts(["admin"])])
    return () => h(Needed, { duties: dutiesFor(address) })
  })

/** Shows a screen to those who may see it. Everybody else gets "page not found", or `instead`, and no data of it is requested. */
function shownIf(
  maySee: () => boolean,
  Screen: ScreenComponent,
  instead: FunctionComponent = Missing,
): ScreenComponent {
  const Guarded: ScreenComponent = () => h(maySee() ? Screen : instead, null)
  Guarded.prefetch = async (location, member) => maySee() && Screen.prefetch?.(location, member)
  return Guarded
}

/** Stands in for a screen whose script failed to load, until the page is reloaded. */
function NotLoaded() {
  useTitle(t().failures.screenTitle)
  const retrying = useAction(reloadIfReachable)
  useLayoutEffect(() => untilCleanup(reloadWhenReachable), [])
  return (
    <div class="grid justify-items-start gap-4 px-6 py-16">
      <p role="alert">
        {t().failures.screen} <span class="text-muted">{t().failures.screenWaits}</span>
      </p>
      <Button look="plain" busy={retrying.busy.value} onClick={retrying.run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}

/** How many times the page was reloaded since a screen last loaded. */
const reloads = storedValue("reloads", () => sessionStorage)
const maxDelayMs = 60_000

/** Resets the counter of reloads after a screen has loaded. */
function resetReloads() {
  if (reloads.get() !== null) reloads.set(null)
}

/**
 * Reloads the page as soon as the server is reachable, while `isWanted` returns true. A reload is necessary: within one
 * page, Chromium never retries a module that failed to load, nor a module that imports it. Drafts survive the reload.
 * The delay doubles with each reload that did not help.
 */
async function reloadWhenReachable(isWanted: () => boolean) {
  const before = Number(reloads.get() ?? 0)
  if (before > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** before, maxDelayMs)))
  for (let ms = 500; isWanted(); ms = Math.min(ms * 2, 10_000)) {
    await reloadIfReachable(isWanted)
    await retryDelay(ms)
  }
}

/** Checks the server first: offline, a reload would replace the app with the browser's error page. */
async function reloadIfReachable(isWanted: () => boolean = () => true) {
  const answer = await fetchJson<unknown>(fetch("/api/v1/session"))
  if (answer.kind !== "done" || !isWanted()) return
  reloads.set(String(Number(reloads.get() ?? 0) + 1))
  location.reload()
}
