import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../languages/writing.ts"
import { addresses } from "../addresses.ts"
import { Shortcuts } from "../palette/shortcuts.tsx"
import { Icon, Logo } from "../parts/icon.tsx"
import { ReceivedCard } from "../received/card.tsx"
import { latestArrival, unseenCount } from "../received/unseen.ts"
import { serviceName } from "../screen.ts"
import { useAutoRefresh } from "../server/query.ts"
import { useRetry } from "../server/retry.ts"
import { accountFailure, me, refreshAccount, refreshProgramme } from "../session.ts"
import { t } from "../texts/texts.ts"
import { AccountMenu } from "./account-menu.tsx"
import { LogOutFailure } from "./log-out.tsx"
import { leftOutOnPhone, navigationItems } from "./navigation.ts"

/** The frame of all screens for logged-in users: navigation at the side on a desktop, at the bottom on a phone. */
export function Shell({ children }: { children: ComponentChildren }) {
  useRetry(accountFailure.value, refreshAccount)
  useAutoRefresh(refreshProgramme)
  const username = me.value?.username
  useEffect(() => (username === undefined ? undefined : follow(username)), [username])
  const hasCard = latestArrival.value !== null && !latestArrival.value.isSeen
  return (
    <div class="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_1fr] print:block">
      <a href="#main" class="btn btn-primary fixed start-4 top-4 z-50 not-focus:sr-only">
        {t().shell.skip}
      </a>
      <header class="flex flex-wrap items-center justify-between px-4 pt-[max(0.75rem,env(safe-area-inset-top))] pb-1 lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:flex-nowrap lg:items-stretch lg:justify-start lg:gap-6 lg:border-e lg:border-line lg:px-3 lg:py-5 print:hidden">
        <p class="flex items-center gap-2.5 font-semibold wrap-break-word max-lg:min-w-0 max-lg:grow max-lg:basis-[min-content] lg:px-3">
          <Logo />
          <span class="line-clamp-3">{serviceName}</span>
        </p>
        <Shortcuts />
        <div class="fixed inset-x-0 bottom-0 z-40 flex flex-col-reverse border-t border-line bg-base-100/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-sm lg:static lg:-m-1 lg:min-h-0 lg:grow lg:flex-col lg:overflow-y-auto lg:p-1 lg:gap-6 lg:border-0 lg:bg-transparent lg:pb-0 lg:backdrop-blur-none">
          <Navigation />
          <ReceivedCard />
        </div>
        <AccountMenu />
      </header>
      <main
        id="main"
        tabIndex={-1}
        class={`mx-auto w-full max-w-2xl xl:max-w-5xl px-4 pt-4 sm:px-6 lg:px-8 lg:py-10 lg:pb-16 ${hasCard ? "pb-[calc(12rem+env(safe-area-inset-bottom))]" : "pb-[calc(5.5rem+env(safe-area-inset-bottom))]"}`}
      >
        <LogOutFailure />
        <div class="xl:not-has-[.two-columns,.wide]:max-w-[38rem]">{children}</div>
      </main>
    </div>
  )
}

/** Follows what this user receives, until the returned function is called. Loaded once the page is shown, to show it sooner. */
function follow(username: string): () => void {
  const over = new AbortController()
  void import("../received/follow.ts").then(
    ({ followReceived }) => {
      if (!over.signal.aborted) over.signal.addEventListener("abort", followReceived(username))
    },
    () => {}, // screens work without it
  )
  return () => over.abort()
}

function Navigation() {
  const { path } = useLocation()
  const leftOut = leftOutOnPhone()
  const count = unseenCount.value
  const isHere = (address: string) => (address === "/" ? path === "/" : path.startsWith(address))
  return (
    <nav aria-label={t().shell.navigation}>
      <ul class="flex lg:flex-col lg:gap-0.5">
        {navigationItems().map(({ address, icon, name }) => (
          <li
            key={address}
            class={`flex-1 max-lg:min-w-fit ${leftOut.some((one) => one.address === address) ? "max-lg:hidden" : ""}`}
          >
            <a
              href={address}
              aria-current={isHere(address) ? "page" : undefined}
              class="grid min-h-14 place-content-center justify-items-center gap-0.5 text-xs text-muted max-lg:text-[length:min(var(--text-xs),4.2vw)] aria-[current]:text-primary lg:flex lg:min-h-9 lg:place-content-start lg:items-center lg:gap-3 lg:rounded-field lg:px-3 lg:text-[0.9375rem] lg:hover:bg-base-300/60 lg:aria-[current]:bg-base-300 lg:aria-[current]:text-base-content"
            >
              <span class="relative">
                <Icon of={icon} />
                {address === addresses.home && count !== null && <Badge text={count} />}
              </span>
              <span class="max-lg:whitespace-nowrap">
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
      class="absolute start-1/2 bottom-1/2 min-w-4.5 rounded-full bg-warm px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-base-100 tabular-nums"
    >
      {text}
    </span>
  )
}
