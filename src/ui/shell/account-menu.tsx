import { signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { Avatar } from "../parts/avatar.tsx"
import { Skeleton } from "../parts/placeholders.tsx"
import { type Me, me } from "../session.ts"
import { t } from "../texts/texts.ts"
import { LogOutButton } from "./log-out.tsx"
import { Names } from "./names.tsx"

/** Loaded once the page is shown, so that the first visit shows it sooner. */
const panel = signal<typeof import("./account-panel.tsx") | null>(null)

async function loadPanel() {
  panel.value ??= await import("./account-panel.tsx").catch(() => null)
}

/** The menu of the current user, which opens the panel. */
export function AccountMenu() {
  const member = me.value
  useEffect(() => void loadPanel(), [])
  if (member === null) return <Skeleton class="size-10 rounded-full lg:mt-auto lg:h-12 lg:w-full lg:rounded-field" />
  return (
    <div class="lg:mt-auto">
      <Disclosure label={t().shell.account} button={<Face of={member} />} onOpen={loadPanel}>
        {panel.value !== null && <panel.value.AccountPanel of={member} />}
        <div class="grid p-1.5 pt-0.5">
          <LogOutButton />
        </div>
      </Disclosure>
    </div>
  )
}

function Face({ of }: { of: Me }) {
  return (
    <span class="flex min-w-0 items-center gap-3 text-start">
      <Avatar {...of} src={of.avatar} size="small" />
      <span class="min-w-0 max-lg:hidden">
        <Names of={of} />
      </span>
    </span>
  )
}

interface DisclosureProps {
  /** The purpose of the button for screen readers, read before its content. */
  readonly label: string
  readonly button: ComponentChildren
  readonly children: ComponentChildren
  readonly onOpen: () => void
}

/**
 * A button that opens a panel: below it on a phone, above it on a desktop. Escape, a click outside and a link inside
 * close it.
 */
function Disclosure({ label, button, children, onOpen }: DisclosureProps) {
  const isOpen = useSignal(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  useLayoutEffect(() => {
    if (!isOpen.value) return
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) isOpen.value = false
    }
    const follow = ({ target }: Event) => {
      if (target instanceof Element && target.closest("a") !== null) isOpen.value = false
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return
      isOpen.value = false
      opener.current?.focus()
    }
    document.addEventListener("pointerdown", leave)
    document.addEventListener("focusin", leave)
    document.addEventListener("click", follow)
    document.addEventListener("keydown", onKey)
    return () => {
      document.removeEventListener("pointerdown", leave)
      document.removeEventListener("focusin", leave)
      document.removeEventListener("click", follow)
      document.removeEventListener("keydown", onKey)
    }
  }, [isOpen.value])

  return (
    <div ref={root} class="relative">
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        class="flex min-h-11 min-w-[min(2.75rem,14vw)] items-center justify-center rounded-field hover:bg-base-300/60 aria-expanded:bg-base-300/60 max-lg:-me-2 lg:w-full lg:justify-start lg:px-2.5"
        onClick={() => {
          isOpen.value = !isOpen.value
          onOpen()
        }}
      >
        <span class="sr-only">{label}</span>
        {button}
      </button>
      <div
        id={id}
        hidden={!isOpen.value}
        class="absolute end-0 z-50 mt-1 w-72 rounded-box border border-line bg-base-100 shadow-lg lg:start-0 lg:end-auto lg:bottom-full lg:mt-0 lg:mb-2"
      >
        {isOpen.value && children}
      </div>
    </div>
  )
}
