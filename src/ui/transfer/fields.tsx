import { type Signal, useSignal } from "@preact/signals"
import { Lock } from "lucide"
import type { ComponentChildren, RefObject } from "preact"
import { useId } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { submitOnEnter } from "../parts/enter.ts"
import { Icon } from "../parts/icon.tsx"
import { me, type Programme } from "../session.ts"
import { tagText } from "../tags.ts"
import { formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { DraftCheck } from "./check.ts"
import type { Choice, Draft } from "./draft.ts"
import { isToMany } from "./transfer.ts"

interface AmountFieldProps {
  readonly draft: Draft
  readonly check: DraftCheck
  readonly first: RefObject<HTMLInputElement | null>
  readonly describedBy: string | undefined
}

/** The amount: what can be given, or a typed number. Digits typed on a preset go to the number field. */
export function AmountField({
  draft: { choice, other },
  check: { count, rest, offered },
  first,
  describedBy,
}: AmountFieldProps) {
  const { give } = t()
  const focusOther = (group: Element) => group.querySelector<HTMLInputElement>("input[inputmode]")?.focus()
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.type !== "radio" || !/^\d$/.test(event.key)) return
    choice.value = "other"
    other.value = ""
    focusOther(event.currentTarget)
  }
  return (
    <fieldset aria-describedby={describedBy} onKeyDown={onKeyDown}>
      <legend class="mb-1.5 text-sm font-medium">{count > 1 ? give.amountEach : give.amount}</legend>
      <div class="flex flex-wrap items-center gap-1.5 max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(max(3.4rem,30%),1fr))]">
        {offered.map((offer, index) => (
          <Option
            key={offer}
            of={offer}
            choice={choice}
            label={offer === "rest" ? fill(give.rest, { points: formatNumber(rest ?? 0) }) : formatPoints(offer)}
            {...(index === 0 && { input: first })}
          >
            {offer === "rest" ? fill(give.restShort, { points: formatNumber(rest ?? 0) }) : formatNumber(offer)}
          </Option>
        ))}
        <span class={`${pillClass} has-[input[inputmode]:focus-visible]:outline-2`}>
          <input
            {...(offered.length === 0 && { ref: first })}
            type="radio"
            name="amount"
            class="sr-only"
            aria-label={give.other}
            checked={choice.value === "other"}
            onChange={(event) => {
              choice.value = "other"
              focusOther(event.currentTarget.parentElement ?? event.currentTarget)
            }}
          />
          <input
            class="w-20 px-3 text-center tabular-nums outline-none placeholder:text-muted max-sm:w-full max-sm:px-1"
            inputMode="numeric"
            autoComplete="off"
            aria-label={give.other}
            placeholder={give.otherShort}
            tabIndex={choice.value === "other" ? 0 : -1}
            value={other}
            onClick={() => {
              choice.value = "other"
            }}
            onInput={(event) => {
              choice.value = "other"
              other.value = event.currentTarget.value
            }}
          />
        </span>
      </div>
    </fieldset>
  )
}

const pillClass =
  "flex min-h-9 cursor-pointer items-center justify-center rounded-full border border-line bg-base-100 tabular-nums outline-primary outline-offset-2 hover:border-base-content/30 has-checked:border-primary has-checked:bg-primary/10 has-checked:text-primary pointer-coarse:min-h-11"

interface OptionProps {
  readonly of: Choice
  readonly choice: Draft["choice"]
  readonly label: string
  readonly input?: RefObject<HTMLInputElement | null>
  readonly children: string
}

function Option({ of, choice, label, input, children }: OptionProps) {
  return (
    <label class={`${pillClass} px-4 text-center font-medium max-sm:px-1 has-focus-visible:outline-2`}>
      <input
        {...(input && { ref: input })}
        type="radio"
        name="amount"
        class="sr-only"
        aria-label={label}
        checked={choice.value === of}
        onChange={() => {
          choice.value = of
        }}
      />
      <span aria-hidden="true">{children}</span>
    </label>
  )
}

interface ReasonFieldProps {
  readonly draft: Draft
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly describedBy: string | undefined
}

/** The reason; the field grows with its text. */
export function ReasonField({ draft: { reason }, input, describedBy }: ReasonFieldProps) {
  const { give } = t()
  const id = useId()
  return (
    <>
      <label for={id} class="text-sm font-medium">
        {give.reason}
      </label>
      <textarea
        ref={input}
        id={id}
        dir="auto"
        rows={2}
        class="-mx-2 block field-sizing-content min-h-14 w-[calc(100%+1rem)] resize-none rounded-field px-2 py-1 text-base outline-primary placeholder:text-muted focus-visible:outline-2 focus-visible:outline-offset-0"
        aria-describedby={describedBy}
        aria-invalid={describedBy !== undefined}
        placeholder={give.reasonHint}
        value={reason}
        onInput={(event) => {
          reason.value = event.currentTarget.value
        }}
        onKeyDown={submitOnEnter}
      />
    </>
  )
}

type TemplatesPanel = typeof import("./templates.tsx").Templates

interface TagsAndPrivacyProps {
  readonly draft: Draft
  readonly known: Programme["tags"]
  readonly first: RefObject<HTMLInputElement | null>
  readonly describedBy: string | undefined
  /** Called when a template was put into the reason. */
  readonly onUse: () => void
}

/** The tags of the programme, the choice of a private reason, for superusers that of a grant, and the user's own templates. */
export function TagsAndPrivacy({ draft, known, first, describedBy, onUse }: TagsAndPrivacyProps) {
  const { reason, tags, isPrivate, isGrant } = draft
  const { give } = t()
  const templates = useSignal<TemplatesPanel | null>(null)
  const toggleTemplates = async () => {
    // If the script fails to load, the button does nothing.
    const loaded = templates.value === null ? await import("./templates.tsx").catch(() => null) : null
    templates.value = loaded?.Templates ?? null
  }
  const Templates = templates.value
  const toggle = (tag: string, isOn: boolean) => {
    tags.value = isOn ? [...tags.value, tag] : tags.value.filter((one) => one !== tag)
  }
  return (
    <>
      <div class="-mx-2.5 flex flex-wrap items-center gap-1.5">
        {known.length > 0 && (
          <fieldset class="contents" aria-describedby={describedBy}>
            <legend class="sr-only">{give.tags}</legend>
            {known.map(({ name: tag, description }, index) => (
              <label key={tag} class={toggleClass} dir="auto" title={description ?? undefined}>
                <input
                  {...(index === 0 && { ref: first })}
                  type="checkbox"
                  class="sr-only"
                  checked={tags.value.includes(tag)}
                  onChange={(event) => toggle(tag, event.currentTarget.checked)}
                />
                {tagText(tag)}
              </label>
            ))}
          </fieldset>
        )}
        <Toggle checked={isPrivate} class={`gap-1.5 ${known.length > 0 ? "sm:ms-auto" : ""}`}>
          <Icon of={Lock} class="size-3.5" />
          {give.private}
        </Toggle>
        {me.value?.role === "superuser" && (isGrant.value || isToMany({ to: draft.to.value })) && (
          <Toggle checked={isGrant}>{give.asGrant}</Toggle>
        )}
        <button type="button" class={toggleClass} aria-expanded={Templates !== null} onClick={toggleTemplates}>
          {give.templates}
        </button>
      </div>
      {Templates !== null && (
        <Templates
          reason={reason}
          onUse={() => {
            templates.value = null
            onUse()
          }}
        />
      )}
    </>
  )
}

interface ToggleProps {
  readonly checked: Signal<boolean>
  readonly class?: string
  readonly children: ComponentChildren
}

function Toggle({ checked, class: further = "", children }: ToggleProps) {
  return (
    <label class={`${toggleClass} ${further}`}>
      <input
        type="checkbox"
        class="sr-only"
        checked={checked}
        onChange={(event) => {
          checked.value = event.currentTarget.checked
        }}
      />
      {children}
    </label>
  )
}

const toggleClass =
  "flex min-h-8 cursor-pointer items-center rounded-full px-2.5 text-sm text-muted outline-primary hover:bg-base-300/60 has-checked:bg-primary/10 has-checked:font-medium has-checked:text-primary has-focus-visible:outline-2 pointer-coarse:min-h-11"
