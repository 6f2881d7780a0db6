import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/** Opens a dialog as long as it is drawn. Whoever had the focus before has it again afterwards. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    const before = document.activeElement
    shown?.showModal()
    return () => {
      shown?.close()
      // Where it is out of the page already, the browser gives nothing back.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [])
  return dialog
}
