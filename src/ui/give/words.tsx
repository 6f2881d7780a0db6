import { Lock } from "lucide"
import type { RefObject } from "preact"
import { Icon } from "../parts/icon.tsx"
import { t } from "../texts/texts.ts"
import type { Draft } from "./draft.ts"

interface ReasonProps {
  readonly draft: Draft
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly describedBy: string | undefined
}

/** What for, growing with the text. Enter goes on, and with Shift begins a line; on a phone it always begins a line. */
export function Reason({ draft: { reason }, input, describedBy }: ReasonProps) {
  const { give } = t()
  return (
    <textarea
      ref={input}
      dir="auto"
      rows={2}
      class="-mx-2 block field-sizing-content min-h-14 w-[calc(100%+1rem)] resize-none rounded-field px-2 py-1 text-base outline-primary placeholder:text-muted focus-visible:outline-2 focus-visible:outline-offset-0"
      aria-label={give.reason}
      aria-describedby={describedBy}
      aria-invalid={describedBy !== undefined}
      placeholder={give.reasonHint}
      value={reason}
      onInput={(event) => {
        reason.value = event.currentTarget.value
      }}
      onKeyDown={(event) => {
        const isMeant = event.ctrlKey || event.metaKey || (!event.shiftKey && matchMedia("(pointer: fine)").matches)
        if (event.key !== "Enter" || event.isComposing || !isMeant) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}

/** The team's tags, and whether the reason is for the two alone. */
export function Marks({ draft: { tags, isPrivate }, known }: { draft: Draft; known: readonly string[] }) {
  const { give } = t()
  const toggle = (tag: string, isOn: boolean) => {
    tags.value = isOn ? [...tags.value, tag] : tags.value.filter((one) => one !== tag)
  }
  return (
    <div class="-mx-2.5 flex flex-wrap items-center gap-1.5">
      {known.length > 0 && (
        <fieldset class="contents">
          <legend class="sr-only">{give.tags}</legend>
          {known.map((tag) => (
            <label key={tag} class={mark} dir="auto">
              <input
                type="checkbox"
                class="sr-only"
                checked={tags.value.includes(tag)}
                onChange={(event) => toggle(tag, event.currentTarget.checked)}
              />
              {`#${tag}`}
            </label>
          ))}
        </fieldset>
      )}
      <label class={`${mark} gap-1.5 ${known.length > 0 ? "sm:ms-auto" : ""}`}>
        <input
          type="checkbox"
          class="sr-only"
          checked={isPrivate}
          onChange={(event) => {
            isPrivate.value = event.currentTarget.checked
          }}
        />
        <Icon of={Lock} class="size-3.5" />
        {give.private}
      </label>
    </div>
  )
}

const mark =
  "flex min-h-8 cursor-pointer items-center rounded-full px-2.5 text-sm text-muted outline-primary hover:bg-base-300/60 has-checked:bg-primary/10 has-checked:font-medium has-checked:text-primary has-focus-visible:outline-2 pointer-coarse:min-h-11"
