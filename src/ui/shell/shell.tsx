import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Shortcuts } from "../palette/shortcuts.tsx"
import { nameOfService } from "../parts/use-title.ts"
import { Arrival } from "../received/arrival.tsx"
import { arrival, followReceived } from "../received/received.ts"
import { useAgain } from "../server/again.ts"
import { accountFailure, me, refreshAccount } from "../session.ts"
import { t } from "../texts/texts.ts"
import { Account } from "./account.tsx"
import { Mark } from "./mark.tsx"
import { Navigation } from "./navigation.tsx"

/** What stands around every screen of those who are logged in: at the side on a desktop, below on a phone. */
export function Shell({ children }: { children: ComponentChildren }) {
  useAgain(accountFailure.value, refreshAccount)
  const username = me.value?.username
  useEffect(() => (username === undefined ? undefined : followReceived(username)), [username])
  const hasCard = arrival.value !== null && !arrival.value.isSeen
  return (
    <div class="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_1fr] print:block">
      <a href="#main" class="btn btn-primary fixed start-4 top-4 z-50 not-focus:sr-only">
        {t().shell.skip}
      </a>
      <header class="flex items-center justify-between px-4 pt-[max(0.75rem,env(safe-area-inset-top))] pb-1 lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:items-stretch lg:justify-start lg:gap-6 lg:border-e lg:border-line lg:px-3 lg:py-5 print:hidden">
        <p class="flex items-center gap-2.5 font-semibold lg:px-3">
          <Mark />
          <span class="line-clamp-3">{nameOfService()}</span>
        </p>
        <Shortcuts />
        <div class="fixed inset-x-0 bottom-0 z-40 flex flex-col-reverse border-t border-line bg-base-100/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-sm lg:static lg:-m-1 lg:min-h-0 lg:grow lg:flex-col lg:overflow-y-auto lg:p-1 lg:gap-6 lg:border-0 lg:bg-transparent lg:pb-0 lg:backdrop-blur-none">
          <Navigation />
          <Arrival />
        </div>
        <Account />
      </header>
      <main
        id="main"
        tabIndex={-1}
        class={`mx-auto w-full max-w-2xl px-4 pt-4 sm:px-6 lg:px-8 lg:py-10 lg:pb-16 ${hasCard ? "pb-[calc(12rem+env(safe-area-inset-bottom))]" : "pb-[calc(5.5rem+env(safe-area-inset-bottom))]"}`}
      >
        {children}
      </main>
    </div>
  )
}
