import type { ComponentChildren, RefObject } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"

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

/**
 * Opens a dialog as long as it is drawn. Escape, or a step outside, asks to close it. Whoever had the focus before has it
 * again afterwards.
 */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const shown = dialog.current
    const before = document.activeElement
    /** A text that is marked from the inside to the outside is no step. */
    let isOutside = false
    shown?.addEventListener("cancel", (event) => {
      event.preventDefault()
      close.current()
    })
    shown?.addEventListener("pointerdown", ({ target }) => {
      isOutside = target === shown
    })
    // Not before the click: it would go to what lies beneath.
    shown?.addEventListener("click", ({ target }) => {
      if (isOutside && target === shown) close.current()
    })
    shown?.showModal()
    return () => {
      shown?.close()
      // Where it is out of the page already, the browser gives nothing back.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [])
  return dialog
}
