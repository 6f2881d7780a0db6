import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"

const phone = matchMedia("(width < 40rem)")

interface FoldedOnPhonesProps {
  readonly name: string
  /** Whether it is unfolded at first on a phone, too. */
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

/** Content above a list. On phones, a button hides and shows it, so that the list comes first. */
export function FoldedOnPhones({ name, isOpen = false, children }: FoldedOnPhonesProps) {
  const isUnfolded = useSignal(isOpen || !phone.matches)
  useEffect(() => {
    const follow = () => {
      if (!phone.matches) isUnfolded.value = true
    }
    phone.addEventListener("change", follow)
    return () => phone.removeEventListener("change", follow)
  }, [])
  return (
    <details
      open={isUnfolded.value}
      onToggle={({ currentTarget }) => {
        isUnfolded.value = currentTarget.open
      }}
    >
      <summary class="w-fit cursor-pointer py-3 text-sm text-muted hover:text-base-content sm:hidden print:hidden">
        {name}
      </summary>
      {isUnfolded.value && children}
    </details>
  )
}
