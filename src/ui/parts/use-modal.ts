import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

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
