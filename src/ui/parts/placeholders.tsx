import type { ComponentChildren } from "preact"
import { addresses } from "../addresses.ts"
import { useTitle } from "../screen.ts"
import type { Failure } from "../server/api.ts"
import { loadMessageOf } from "../server/failure-messages.ts"
import { t } from "../texts/texts.ts"
import { Button, useAction } from "./button.tsx"

/** A placeholder for content that is loading, visible after 200 ms. `class` sets its final size. */
export function Skeleton({ class: className }: { class: string }) {
  return <span class={`late skeleton block bg-base-300 ${className}`} aria-hidden="true" />
}

/**
 * Shown in place of data that failed to load. The app retries automatically; `onRetry` is for users who do not want to
 * wait.
 */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => Promise<void> }) {
  const { busy, run } = useAction(onRetry)
  return (
    <div class="grid justify-items-start gap-3 py-6">
      <p role="alert" class="text-muted">
        {loadMessageOf(failure)}
      </p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}

/** SVG paths of each drawing: one in the colour of the text, one in the warm colour. */
const drawings = {
  thanks: ["M8 10h48v30H30l-12 10V40H8z", "M32 33c-14-9-8-18 0-11 8-7 14 2 0 11z"],
  gift: ["M12 26h40v26H12zM8 16h48v10H8z", "M32 16v36M32 16c-16-2-10-16 0 0 10-16 16-2 0 0"],
  podium: ["M6 54V36h16v18M42 54V42h16v12M22 54V26h20v28", "m32 6 3 6 7 1-5 5 1 7-6-3-6 3 1-7-5-5 7-1z"],
  search: ["M27 10a17 17 0 1 0 .1 0M40 40l14 14", "M20 27h14"],
}

export interface EmptyProps {
  readonly drawing: keyof typeof drawings
  readonly children: ComponentChildren
}

/** Shown in place of an empty list: a small drawing, and what to do. */
export function Empty({ drawing, children }: EmptyProps) {
  const [lines, warmLines] = drawings[drawing]
  return (
    <div class="grid justify-items-center gap-3 py-8 text-center text-muted">
      <svg
        viewBox="0 0 64 58"
        class="h-16"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
        aria-hidden="true"
      >
        <path d={lines} />
        <path d={warmLines} class="text-warm" />
      </svg>
      {children}
    </div>
  )
}

interface NotFoundProps {
  readonly title: string
  /** Where the link leads, and its text. */
  readonly to: string
  readonly link: string
  readonly children: ComponentChildren
}

/** Shown in place of what does not exist, or of what the viewer may not see. */
export function NotFound({ title, to, link, children }: NotFoundProps) {
  return (
    <div class="grid justify-items-start gap-3 py-16">
      <h1 class="text-2xl font-semibold tracking-tight">{title}</h1>
      <p class="text-muted">{children}</p>
      <a href={to} class="btn btn-outline mt-3 border-line font-medium">
        {link}
      </a>
    </div>
  )
}

/** Shown for an address without a screen. */
export function Missing() {
  const { missing } = t()
  useTitle(missing.title)
  return (
    <NotFound title={missing.title} to={addresses.home} link={missing.back}>
      {missing.text}
    </NotFound>
  )
}
