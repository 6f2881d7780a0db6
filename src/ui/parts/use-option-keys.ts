import Keys from "@github/combobox-nav"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

interface Parts {
  readonly input: RefObject<HTMLInputElement | null>
  readonly list: RefObject<HTMLElement | null>
  readonly isOpen: boolean
  /** Other options begin again at the first. */
  readonly options: unknown
  /** Of the option's `data-index`. */
  readonly onCommit: (index: number) => void
}

/** Arrows, Enter and what a screen reader hears of them, for a box with a list of options. */
export function useOptionKeys({ input, list, isOpen, options, onCommit }: Parts) {
  const keys = useRef<Keys | null>(null)

  useLayoutEffect(() => {
    if (input.current === null || list.current === null) return
    const bound = new Keys(input.current, list.current, {
      tabInsertsSuggestions: false,
      firstOptionSelectionMode: "active",
    })
    keys.current = bound
    return () => bound.destroy()
  }, [])

  useLayoutEffect(() => {
    const commit = ({ target }: Event) => {
      if (target instanceof HTMLElement) onCommit(Number(target.dataset.index))
    }
    const shown = list.current
    shown?.addEventListener("combobox-commit", commit)
    return () => shown?.removeEventListener("combobox-commit", commit)
  })

  useLayoutEffect(() => {
    if (!isOpen) return
    const typed = input.current
    // What is typed unmarks the first option, which may be drawn already: they hear it one after the other.
    const mark = () => keys.current?.resetSelection()
    keys.current?.start()
    typed?.addEventListener("input", mark)
    return () => {
      typed?.removeEventListener("input", mark)
      keys.current?.stop()
    }
  }, [isOpen])

  useLayoutEffect(() => {
    if (isOpen) keys.current?.resetSelection()
  }, [options])
}
