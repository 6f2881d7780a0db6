import { useSignal } from "@preact/signals"
import { X } from "lucide"
import { useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { useNameOf, usePeopleSearch } from "../people.ts"
import { me } from "../session.ts"
import { t } from "../texts/texts.ts"
import { Avatar } from "./avatar.tsx"
import { Combobox } from "./combobox.tsx"
import { Icon } from "./icon.tsx"

interface PersonFilterProps {
  readonly label: string
  /** Whether the label stands above the field, too. */
  readonly isLabelled?: boolean
  /** The text in the empty field. */
  readonly placeholder: string
  /** The selected person; null for anybody. */
  readonly username: string | null
  readonly onPick: (username: string | undefined) => void
}

/** Filters by one person, found by any part of the name. Superusers also find people who left. */
export function PersonFilter({ label, isLabelled = false, placeholder, username, onPick }: PersonFilterProps) {
  const text = useSignal("")
  const options = usePeopleSearch(text.value, me.value?.role === "superuser" ? "all" : "active")
  const input = useRef<HTMLInputElement>(null)
  const isRemoved = useRef(false)
  const isPicked = useRef(false)
  const remove = () => {
    isRemoved.current = true
    onPick(undefined)
  }
  useLayoutEffect(() => {
    if (isRemoved.current) input.current?.focus()
    isRemoved.current = false
  }, [username])

  return (
    <div class="grid min-w-0 gap-1.5">
      {isLabelled && (
        <span class="text-sm font-medium" aria-hidden="true">
          {label}
        </span>
      )}
      {username === null ? (
        <Combobox
          label={label}
          text={text}
          options={options}
          keyOf={(one) => one.username}
          draw={(one) => (
            <>
              <Avatar {...one} src={one.avatar} size="small" />
              <span class="min-w-0">
                <span dir="auto" class="block wrap-anywhere">
                  {one.name}
                </span>
                <span class="block text-xs wrap-anywhere text-muted">{one.username}</span>
              </span>
            </>
          )}
          onPick={(one) => {
            isPicked.current = true
            onPick(one.username)
          }}
          placeholder={placeholder}
          input={input}
        />
      ) : (
        <SelectedPerson label={label} username={username} takesFocus={isPicked} onRemove={remove} />
      )}
    </div>
  )
}

interface SelectedPersonProps {
  readonly label: string
  readonly username: string
  /** Whether the person was just picked here. Then the button with the name takes the focus. */
  readonly takesFocus: { current: boolean }
  readonly onRemove: () => void
}

/** Replaces the text field while a person is selected; a click, Backspace or Delete removes the person. */
function SelectedPerson({ label, username, takesFocus, onRemove }: SelectedPersonProps) {
  const name = useNameOf(username)
  const chip = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (takesFocus.current) chip.current?.focus()
    takesFocus.current = false
  }, [])
  return (
    <div class="input h-auto min-h-(--size) w-full border-base-content/45 ps-1.5">
      <button
        ref={chip}
        type="button"
        class="my-1 inline-flex min-h-7 max-w-full items-center gap-1 rounded-selector bg-base-300 py-0.5 ps-2 pe-1 text-start text-sm whitespace-normal pointer-coarse:min-h-8"
        aria-label={`${label}: ${fill(t().parts.withoutPerson, { name: name ?? username })}`}
        onClick={onRemove}
        onKeyDown={({ key }) => {
          if (key === "Backspace" || key === "Delete") onRemove()
        }}
      >
        <span dir="auto" translate={false} class="min-w-0 wrap-anywhere" title={username}>
          {name}
        </span>
        <Icon of={X} class="size-3.5" />
      </button>
    </div>
  )
}
