import { ListFilter, X } from "lucide"
import { fill } from "../../languages/writing.ts"
import { t } from "../texts/texts.ts"
import { Icon } from "./icon.tsx"

interface FilterButtonProps {
  readonly isOpen: boolean
  /** The id of the element with the fields. */
  readonly controls: string
  readonly onClick: () => void
}

/** Opens the filters of a list. */
export function FilterButton({ isOpen, controls, onClick }: FilterButtonProps) {
  return (
    <button
      type="button"
      class="btn btn-ghost btn-sm ms-auto -me-2 gap-1.5 font-normal text-muted print:hidden"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onClick}
    >
      <Icon of={ListFilter} class="size-4" />
      {t().feed.filter}
    </button>
  )
}

export interface Chip {
  readonly key: string
  readonly text: string
  readonly onRemove: () => void
}

/** The filters that are set, each with a button that removes it. */
export function Chips({ of: chips }: { of: readonly Chip[] }) {
  if (chips.length === 0) return null
  return (
    <ul aria-label={t().feed.filtered} class="flex basis-full flex-wrap gap-1.5">
      {chips.map(({ key, text, onRemove }) => (
        <li key={key}>
          <button
            type="button"
            class="inline-flex min-h-8 cursor-pointer items-center gap-1 rounded-full bg-primary/10 ps-3 pe-2 text-sm text-primary pointer-coarse:min-h-11"
            aria-label={fill(t().parts.withoutPerson, { name: text })}
            onClick={onRemove}
          >
            <span dir="auto">{text}</span>
            <Icon of={X} class="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  )
}
