import { Search as Lens } from "lucide"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Icon } from "../../parts/icon.tsx"
import { useFocus } from "../../parts/use-focus.ts"
import { t } from "../../texts/texts.ts"

/** Who types on is not asked about yet. */
const pauseMs = 120

interface SearchProps {
  /** As the address has it. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly input: RefObject<HTMLInputElement | null>
}

/** A box to look for people, whose text becomes the address. */
export function Search({ text, onText, input }: SearchProps) {
  const { people } = t()
  const [typed, setTyped] = useState(text)
  const told = useRef(text)
  useFocus(input)

  useLayoutEffect(() => {
    // Back, forward and links set another text; what was typed here is in the box already.
    if (text !== told.current) setTyped(text)
    told.current = text
  }, [text])
  useLayoutEffect(() => {
    const wanted = typed.trim()
    if (wanted === told.current) return
    const timer = setTimeout(() => {
      told.current = wanted
      onText(wanted)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <label class="input grow border-base-content/45">
      <Icon of={Lens} class="size-4.5 text-muted" />
      <input
        ref={input}
        type="search"
        dir="auto"
        class="grow"
        aria-label={people.search}
        placeholder={people.searchHint}
        value={typed}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}
