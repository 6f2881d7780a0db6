import { useSignal } from "@preact/signals"
import type { FunctionComponent } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { addresses } from "../addresses.ts"
import { screenTitle } from "../screen.ts"
import { screenAt } from "../screens.tsx"
import { t } from "../texts/texts.ts"

/**
 * The log-in screen as a dialog over a page whose session has ended. The page below stays as it is but is inert, so
 * nothing that was typed is lost when the same user returns.
 */
export function LoginDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const login = useSignal<FunctionComponent | null>(null)
  useLayoutEffect(() => {
    void screenAt(addresses.login)
      ?.preload()
      .then((Login) => {
        login.value = Login
      })
  }, [])
  useLayoutEffect(() => {
    const title = screenTitle.peek()
    const shown = dialog.current
    const typedIn = document.activeElement
    shown?.showModal()
    return () => {
      shown?.close()
      screenTitle.value = title
      // Closing the dialog restores the focus, but not the position in the text. Focusing again restores both.
      setTimeout(() => {
        if (!(typedIn instanceof HTMLElement)) return
        typedIn.blur()
        typedIn.focus()
      })
    }
  }, [])

  const Login = login.value
  return (
    <dialog
      ref={dialog}
      aria-label={t().login.title}
      class="m-0 h-dvh max-h-none w-dvw max-w-none overflow-y-auto bg-base-200 text-base-content"
      // Without this, a second Escape closes the dialog even if `cancel` is prevented.
      onKeyDown={(event) => event.key === "Escape" && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
    >
      {Login && <Login />}
    </dialog>
  )
}
