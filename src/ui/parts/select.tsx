import type { Signal } from "@preact/signals"
import { useId } from "preact/hooks"

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
