import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"

interface DisclosureProps {
  /** The purpose of the button for screen readers, read before its content. */
  readonly label: string
  readonly button: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * A button that opens a panel: below it on a phone, above it on a desktop. Escape, a click outside and a link inside
 * close it.
 */
export function Disclosure({ label, button, children }: DisclosureProps) {
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
        class="flex min-h-11 min-w-11 items-center justify-center rounded-field hover:bg-base-300/60 aria-expanded:bg-base-300/60 max-lg:-me-2 lg:w-full lg:justify-start lg:px-2.5"
        onClick={() => {
          isOpen.value = !isOpen.value
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
        {children}
      </div>
    </div>
  )
}
