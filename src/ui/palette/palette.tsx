import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { useModal } from "../parts/dialog.tsx"
import { loadTexts, t } from "../texts/texts.ts"
import type { Overlay } from "./commands.ts"

/**
 * The command palette. Its field is part of the page, so that what is typed while the results load is typed into it, and
 * is not taken for shortcuts.
 */
export function Palette({ onClose, onCommand }: Overlay) {
  const { palette } = t()
  const [text, setText] = useState("")
  const [results, setResults] = useState<typeof import("./results.tsx") | "failed" | null>(null)
  const dialog = useModal(onClose)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    Promise.all([import("./results.tsx"), loadTexts(["admin", "shared"])]).then(
      ([loaded]) => setResults(loaded),
      () => setResults("failed"),
    )
  }, [])

  return (
    <dialog ref={dialog} aria-label={palette.open} class="modal items-start p-4 pt-[12dvh]">
      <div class="modal-box flex max-h-[70dvh] max-w-lg flex-col gap-0 overflow-hidden border border-line p-0">
        <input
          ref={input}
          class="min-h-13 w-full shrink-0 border-b border-line bg-transparent px-5 outline-none"
          dir="auto"
          aria-label={palette.label}
          placeholder={palette.search}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {results === "failed" ? (
          <p role="status" class="px-5 pb-5 text-muted">
            {t().failures.part}
          </p>
        ) : (
          results && <results.Results text={text} input={input} onClose={onClose} onCommand={onCommand} />
        )}
      </div>
    </dialog>
  )
}
