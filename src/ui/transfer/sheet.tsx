import { X } from "lucide"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect } from "preact/hooks"
import { useModal } from "../parts/dialog.tsx"
import { Icon } from "../parts/icon.tsx"
import { t } from "../texts/texts.ts"

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/**
 * A modal dialog that fills a phone: its children are a column, which scrolls in itself. It gets smaller for the keyboard of
 * the device. The first field has the focus.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useModal(onClose)
  const id = useId()
  useLayoutEffect(() => {
    dialog.current?.querySelector("input")?.focus()
    const fit = () => {
      if (dialog.current === null || visualViewport === null) return
      dialog.current.style.height = `${visualViewport.height}px`
      dialog.current.style.top = `${visualViewport.offsetTop}px`
    }
    visualViewport?.addEventListener("resize", fit)
    visualViewport?.addEventListener("scroll", fit)
    return () => {
      visualViewport?.removeEventListener("resize", fit)
      visualViewport?.removeEventListener("scroll", fit)
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} class="modal modal-bottom">
      <div class="modal-box flex h-[calc(100%-1.5rem)] max-h-none flex-col overflow-hidden border border-line p-0 pb-[env(safe-area-inset-bottom)]">
        <div class="flex items-center justify-between border-b border-line py-0.5 ps-4 pe-1">
          <h2 id={id} class="text-lg font-semibold tracking-tight">
            {title}
          </h2>
          <button
            type="button"
            class="btn btn-ghost btn-square text-muted"
            aria-label={t().parts.close}
            onClick={onClose}
          >
            <Icon of={X} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
