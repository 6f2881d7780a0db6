import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks"
import { Combobox } from "../parts/combobox.tsx"
import { fill } from "../texts/format.ts"
import { perLocale } from "../texts/intl.ts"
import { t } from "../texts/texts.ts"
import { createCandidates } from "./candidates.ts"
import { Chip } from "./chip.tsx"
import type { Draft } from "./draft.ts"
import { keyOf, type Receiver } from "./gift.ts"
import { Offer } from "./offer.tsx"

const lists = perLocale((tag) => new Intl.ListFormat(tag, { type: "disjunction" }))

interface PickerProps {
  readonly draft: Draft
  readonly input: RefObject<HTMLInputElement | null>
  readonly describedBy: string | undefined
}

/** To whom: people and a department, by typing a part of the name. */
export function Picker({ draft: { to, name }, input, describedBy }: PickerProps) {
  const { give } = t()
  const candidates = useMemo(createCandidates, [])
  /** Enter came before it was known who fits this. */
  const wanted = useSignal<string | null>(null)
  const options = useComputed(() => candidates.fitting(name.value, to.value)).value
  // After the painting: until then nobody types, and nothing on the page waits for it.
  useEffect(() => whileWanted(candidates.begin), [])
  useLayoutEffect(() => whileWanted((isWanted) => candidates.lookFor(name.value, isWanted)), [name.value])

  const pick = (receiver: Receiver) => {
    to.value = [...to.value, receiver]
    name.value = ""
  }
  const takeBack = (key: string) => {
    to.value = to.value.filter((one) => keyOf(one) !== key)
    input.current?.focus()
  }
  // Whoever types a name and Enter faster than the server answers gets whom the answer brings.
  useSignalEffect(() => {
    const [first] = candidates.fitting(name.value, to.value) ?? []
    if (wanted.value === null || wanted.value !== name.value || first === undefined) return
    wanted.value = null
    pick(first)
  })
  return (
    <div
      onKeyDownCapture={(event) => {
        if (event.key !== "Enter" || name.value.trim() === "" || options !== null) return
        event.preventDefault()
        wanted.value = name.value
      }}
    >
      <Combobox
        look="bare"
        label={give.to}
        text={name}
        options={options}
        keyOf={keyOf}
        draw={(receiver) => <Offer of={receiver} />}
        onPick={pick}
        onTakeBack={() => {
          to.value = to.value.slice(0, -1)
        }}
        picked={to.value.map((receiver) => (
          <Chip key={keyOf(receiver)} of={receiver} onTakeBack={() => takeBack(keyOf(receiver))} />
        ))}
        placeholder={to.value.length > 0 ? give.another : hintOf(candidates.names.value)}
        input={input}
        describedBy={describedBy}
      />
    </div>
  )
}

function hintOf(names: readonly string[]): string {
  const { give } = t()
  if (names.length === 0) return give.hintWithoutNames
  return fill(give.hint, { names: lists().format(names) })
}

/** An effect that asks, and does not ask again once it is cleaned up. */
function whileWanted(begin: (isWanted: () => boolean) => Promise<void>): () => void {
  let isWanted = true
  void begin(() => isWanted)
  return () => {
    isWanted = false
  }
}
