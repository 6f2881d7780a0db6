import type { ComponentChildren, RefObject } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { t } from "../texts/texts.ts"
import { Button, useAction } from "./button.tsx"

interface DialogProps {
  readonly title: string
  /** Called for Escape and for a click outside. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/**
 * A modal dialog, open while it is rendered: at the bottom on a phone, centred elsewhere. The browser's own `<dialog>`
 * traps the focus, restores it and handles Escape. `autofocus` on a button sets the initial focus.
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

interface DialogButtonsProps {
  readonly onClose: () => void
  /** The text of the button that cancels. */
  readonly cancel?: string
  /** The button of the action. */
  readonly children: ComponentChildren
}

/** The last line of a dialog: the button that cancels, and the button of the action. */
export function DialogButtons({ onClose, cancel = t().parts.cancel, children }: DialogButtonsProps) {
  return (
    <div class="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
      <Button look="quiet" onClick={onClose}>
        {cancel}
      </Button>
      {children}
    </div>
  )
}

interface QuestionProps {
  readonly title: string
  readonly text: string
  readonly answer: string
  readonly act: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks for confirmation before an action. */
export function Question({ title, text, answer, act, onClose, children }: QuestionProps) {
  const { busy, run } = useAction(act)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <DialogButtons onClose={onClose}>
        <Button busy={busy.value} onClick={run}>
          {answer}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/**
 * Opens a `<dialog>` while it is rendered. Escape and a click outside call `onClose`. Afterwards the focus returns to
 * the previous element.
 */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const shown = dialog.current
    const before = document.activeElement
    /** Whether the pointer went down outside: selecting text from inside to outside is not a click outside. */
    let isOutside = false
    shown?.addEventListener("cancel", (event) => {
      event.preventDefault()
      close.current()
    })
    shown?.addEventListener("pointerdown", ({ target }) => {
      isOutside = target === shown
    })
    // Close on click, not on pointerdown: otherwise the click would hit what is below the dialog.
    shown?.addEventListener("click", ({ target }) => {
      if (isOutside && target === shown) close.current()
    })
    shown?.showModal()
    return () => {
      shown?.close()
      // Browsers do not restore the focus if the dialog has already left the document.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [])
  return dialog
}
