import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"

interface ButtonProps {
  readonly children: ComponentChildren
  /** Says to what the button belongs, where others have the same text. */
  readonly label?: string
  /** Without it, the button submits its form. */
  readonly onClick?: () => void
  readonly look?: keyof typeof looks
  /** The action is running: the button shows a spinner and ignores clicks. */
  readonly busy?: boolean
  readonly wide?: boolean
  /** Has the focus when its dialog opens. */
  readonly isFirst?: boolean
}

const looks = {
  main: "btn-primary",
  plain: "btn-outline border-line",
  quiet: "btn-ghost",
  danger: "btn-outline border-error/50 text-error",
}

export function Button({
  children,
  label,
  onClick,
  look = "main",
  busy = false,
  wide = false,
  isFirst = false,
}: ButtonProps) {
  return (
    <button
      type={onClick ? "button" : "submit"}
      class={`btn h-auto min-h-(--size) max-w-full font-medium whitespace-normal ${looks[look]} ${wide ? "btn-block" : ""}`}
      aria-label={label}
      autofocus={isFirst}
      aria-disabled={busy}
      aria-busy={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {busy && <span class="late loading loading-spinner loading-xs" aria-hidden="true" />}
    </button>
  )
}

/** Runs an action once at a time: ignores a second Enter while the action is running. */
export function useAction(action: () => Promise<void>) {
  const busy = useSignal(false)
  const isRunning = useRef(false)
  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    busy.value = true
    try {
      await action()
    } finally {
      isRunning.current = false
      busy.value = false
    }
  }
  return { busy, run }
}
