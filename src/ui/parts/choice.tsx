import type { Signal } from "@preact/signals"
import { useId } from "preact/hooks"

interface ChoiceProps {
  readonly label: string
  readonly options: readonly { readonly name: string; readonly address: string }[]
  /** The address of the current option. */
  readonly chosen: string
}

/** A choice between a few addresses. */
export function Choice({ label, options, chosen }: ChoiceProps) {
  return (
    <nav aria-label={label}>
      <ul class="flex flex-wrap gap-0.5">
        {options.map(({ name, address }) => (
          <li key={address}>
            <a
              href={address}
              aria-current={address === chosen ? "true" : undefined}
              class="grid min-h-8 place-content-center rounded-field px-2.5 text-sm text-muted hover:text-base-content aria-[current]:bg-base-300 aria-[current]:text-base-content pointer-coarse:min-h-11"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export type Options = readonly (readonly [value: string, name: string])[]

interface SelectProps {
  readonly label: string
  readonly value: Signal<string>
  readonly options: Options
  readonly onChange?: () => void
}

/** A labelled choice of one of a few values. */
export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId()
  return (
    <div class="grid gap-1.5">
      <label for={id} class="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        class="select w-full border-base-content/45"
        value={value}
        onChange={(event) => {
          value.value = event.currentTarget.value
          onChange?.()
        }}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
