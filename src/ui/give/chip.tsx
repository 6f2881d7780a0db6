import { Users, X } from "lucide"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { fill, formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Receiver } from "./gift.ts"

/** Somebody picked, who may be taken back. */
export function Chip({ of, onTakeBack }: { of: Receiver; onTakeBack: () => void }) {
  const label = fill(t().give.remove, { name: of.name })
  return (
    <span class="flex min-h-8 max-w-full items-center gap-2 rounded-3xl bg-base-300/70 ps-1 text-[0.9375rem]">
      {of.kind === "person" ? (
        <Avatar name={of.name} username={of.username} src={of.avatar} size="tiny" />
      ) : (
        <Icon of={Users} class="ms-1.5 size-4 text-muted" />
      )}
      <span dir="auto" class="line-clamp-2">
        {of.name}
      </span>
      {of.kind === "department" && <span class="text-xs text-muted tabular-nums">{formatNumber(of.people)}</span>}
      <button
        type="button"
        tabIndex={-1}
        class="-ms-1 grid size-8 place-content-center rounded-full text-muted hover:text-base-content pointer-coarse:size-11"
        aria-label={label}
        title={label}
        onClick={onTakeBack}
      >
        <Icon of={X} class="size-3.5" />
      </button>
    </span>
  )
}
