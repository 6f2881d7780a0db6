import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useModal } from "./use-modal.ts"

interface DialogProps {
  readonly title: string
  /** Escape, or a step outside. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/**
 * Asks for attention: the browser's own dialog, which keeps the focus inside, gives it back and knows Escape. It is open
 * as long as it is drawn; from below on a phone, in the middle elsewhere. `autofocus` on a button says where it begins.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useModal(onClose)
  const id = useId()

  return (
    <dialog ref={dialog} aria-labelledby={id} class="modal modal-bottom sm:modal-middle">
      <div class="modal-box grid gap-5 border border-line pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:max-w-md">
        <h2 id={id} class="text-lg font-semibold tracking-tight">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
