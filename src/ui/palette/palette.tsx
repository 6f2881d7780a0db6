import { useId, useMemo, useRef, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { useModal } from "../parts/use-modal.ts"
import { useOptionKeys } from "../parts/use-option-keys.ts"
import { useFound } from "../people/find.ts"
import { formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { groupsFor } from "./groups.ts"
import { Option } from "./option.tsx"
import type { Overlay } from "./shortcuts.tsx"

/** Everything by typing a part of its name: people, screens, acts. */
export function Palette({ onClose, onWish }: Overlay) {
  const { palette } = t()
  const { route } = useLocation()
  const [text, setText] = useState("")
  const people = useFound(text)
  const dialog = useModal(onClose)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  const groups = useMemo(
    () => groupsFor({ text, people: people ?? [], route, onWish }).filter(({ lines }) => lines.length > 0),
    [text, people],
  )
  const lines = groups.flatMap((group) => group.lines)
  useOptionKeys({
    input,
    list,
    isOpen: true,
    options: groups,
    onCommit(index) {
      onClose()
      lines[index]?.run()
    },
  })

  return (
    <dialog ref={dialog} aria-label={palette.open} class="modal items-start p-4 pt-[12dvh]">
      <div class="modal-box flex max-h-[70dvh] max-w-lg flex-col gap-0 overflow-hidden border border-line p-0">
        <input
          ref={input}
          class="min-h-13 w-full shrink-0 border-b border-line bg-transparent px-5 outline-none"
          dir="auto"
          aria-label={palette.label}
          placeholder={palette.label}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div ref={list} id={id} role="listbox" aria-label={palette.open} class="overflow-y-auto p-2">
          {groups.map(({ title, lines: own }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields; these are options
            <div key={title} role="group" aria-label={title}>
              <p class="px-3 pt-2.5 pb-1 text-xs text-muted" aria-hidden="true">
                {title}
              </p>
              {own.map((line) => (
                <Option key={line.key} of={line} index={lines.indexOf(line)} />
              ))}
            </div>
          ))}
        </div>
        <p role="status" class={lines.length === 0 ? "px-5 pb-5 text-muted" : "sr-only"}>
          {lines.length === 0 ? palette.none : formatPlural(lines.length, t().parts.found)}
        </p>
      </div>
    </dialog>
  )
}
