import Keys from "@github/combobox-nav"
import type { Signal } from "@preact/signals"
import type { ComponentChildren, RefObject } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { formatFound } from "../texts/format.ts"

interface ComboboxProps<T> {
  readonly label: string
  /** Shows the label above the field, too. */
  readonly isLabelled?: boolean
  /** The text in the field. */
  readonly text: Signal<string>
  /** The matching options, best first; null while they are loading. */
  readonly options: readonly T[] | null
  readonly keyOf: (option: T) => string
  readonly draw: (option: T) => ComponentChildren
  readonly onPick: (option: T) => void
  /** Called for Backspace in an empty field, to remove the last selected option. */
  readonly onRemove?: () => void
  /** The selected options as chips, before the text. */
  readonly picked?: ComponentChildren
  readonly placeholder?: string
  readonly input?: RefObject<HTMLInputElement | null>
  /** The id of the error message. */
  readonly describedBy?: string | undefined
  /** Whether options are offered while the field is empty. Then Enter picks only an option marked by arrow keys. */
  readonly suggests?: boolean
  readonly onFocus?: () => void
  /** `bare`: the surrounding element draws the border. */
  readonly look?: keyof typeof looks
}

const looks = {
  field: "input h-auto w-full min-h-10 border-base-content/45 py-[3px] pointer-coarse:py-0",
  bare: "-mx-2 flex w-[calc(100%+1rem)] items-center rounded-field px-2 text-base outline-primary has-[input:focus-visible]:outline-2",
}

const noneFound =
  "pointer-events-none absolute inset-x-0 top-full z-30 mt-1 rounded-box border border-line bg-base-100 px-3.5 py-2.5 text-sm text-muted shadow-lg"

/**
 * A text field with a list of matching options, for arrow keys, Enter and pointer. Enter picks the first option at
 * once.
 */
export function Combobox<T>({ label, text, options, keyOf, draw, onPick, onRemove, ...rest }: ComboboxProps<T>) {
  const {
    picked,
    placeholder,
    input: given,
    describedBy,
    isLabelled = false,
    suggests = false,
    onFocus,
    look = "field",
  } = rest
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  const input = given ?? own
  const list = useRef<HTMLDivElement>(null)
  const [isFocused, setFocused] = useState(false)
  const isBlank = text.value.trim() === ""
  const isOpen = isFocused && options !== null && (!isBlank || (suggests && options.length > 0))
  const pick = (index: number) => {
    const option = options?.[index]
    if (option === undefined) return
    text.value = ""
    onPick(option)
    input.current?.focus()
    if (text.value !== "") setFocused(false)
  }
  useOptionKeys({ input, list, isOpen, options, marksFirst: !isBlank, onCommit: pick })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Backspace" && text.value === "") onRemove?.()
    // The first option is not marked yet when Enter follows a letter immediately.
    if (event.key === "Enter" && isOpen && !isBlank && options.length > 0 && !isMarked(list.current)) {
      event.preventDefault()
      pick(0)
    }
    if (event.key !== "Escape") return
    // Options that are still on their way must not open the list again.
    setFocused(false)
    if (!isOpen) return
    // Escape closes the list, not the surrounding dialog.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="relative">
      {isLabelled && (
        <label for={`${id}-input`} class="mb-1 block text-sm font-medium">
          {label}
        </label>
      )}
      <div class={`flex-wrap gap-1.5 ${looks[look]}`}>
        {picked}
        <input
          ref={input}
          class="min-h-8 min-w-32 grow text-ellipsis outline-none placeholder:text-muted pointer-coarse:min-h-11"
          dir="auto"
          id={`${id}-input`}
          aria-label={isLabelled ? undefined : label}
          aria-describedby={describedBy}
          aria-invalid={describedBy !== undefined}
          value={text}
          placeholder={placeholder ?? ""}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          onInput={(event) => {
            text.value = event.currentTarget.value
            setFocused(true)
          }}
          onFocus={() => {
            setFocused(true)
            onFocus?.()
          }}
          onBlur={() => setFocused(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        hidden={!isOpen || options.length === 0}
        class="absolute inset-x-0 top-full z-30 mt-1 max-h-80 overflow-y-auto rounded-box border border-line bg-base-100 p-1 shadow-lg"
        // Keeps the focus in the field until the click arrives.
        onPointerDown={(event) => event.preventDefault()}
      >
        {options?.map((option, index) => (
          <div
            key={keyOf(option)}
            role="option"
            tabIndex={-1}
            data-index={index}
            class="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-2.5 py-1.5 hover:bg-base-300/50 aria-selected:bg-base-300 data-combobox-option-default:bg-base-300"
          >
            {draw(option)}
          </div>
        ))}
      </div>
      {/* Above the page like the list: in its flow, what follows would move away under the click that leaves the field. */}
      <p role="status" class={isOpen && options.length === 0 ? noneFound : "sr-only"}>
        {isOpen && formatFound(options.length)}
      </p>
    </div>
  )
}

const isMarked = (list: HTMLElement | null): boolean =>
  list?.querySelector('[aria-selected="true"], [data-combobox-option-default]') !== null

interface Parts {
  readonly input: RefObject<HTMLInputElement | null>
  readonly list: RefObject<HTMLElement | null>
  readonly isOpen: boolean
  /** New options move the selection back to the first one. */
  readonly options: unknown
  /** Whether the first option is marked from the start. */
  readonly marksFirst?: boolean
  /** Called with the `data-index` of the option. */
  readonly onCommit: (index: number) => void
}

/** Keyboard and screen reader support for a text field with a listbox. */
export function useOptionKeys({ input, list, isOpen, options, marksFirst = true, onCommit }: Parts) {
  const keys = useRef<Keys | null>(null)

  useLayoutEffect(() => {
    if (input.current === null || list.current === null) return
    const bound = new Keys(input.current, list.current, {
      tabInsertsSuggestions: false,
    })
    keys.current = bound
    return () => bound.destroy()
  }, [])

  useLayoutEffect(() => {
    if (keys.current !== null) keys.current.firstOptionSelectionMode = marksFirst ? "active" : "none"
  }, [marksFirst])

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
    // combobox-nav clears the selection on every input event; select the first option again afterwards.
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
  }, [options, marksFirst])
}
