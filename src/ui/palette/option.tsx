import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import type { Face } from "../people/find.ts"
import type { Act } from "./acts.ts"
import type { Line } from "./groups.ts"

/** One line of the palette. */
export function Option({ of: line, index }: { of: Line; index: number }) {
  return (
    <div
      role="option"
      tabIndex={-1}
      data-index={index}
      class="flex min-h-11 cursor-pointer items-center gap-3.5 rounded-field px-3 py-1.5 hover:bg-base-300/50 aria-selected:bg-base-300 data-combobox-option-default:bg-base-300"
    >
      {line.kind === "person" ? <Person of={line.face} /> : <Deed of={line.act} />}
    </div>
  )
}

function Person({ of: face }: { of: Face }) {
  return (
    <>
      <Avatar {...face} src={face.avatar} size="small" />
      <span dir="auto" class="min-w-0 truncate">
        {face.name}
      </span>
      <span class="min-w-0 truncate text-sm text-muted">{face.username}</span>
    </>
  )
}

function Deed({ of: { icon, name, keys } }: { of: Act }) {
  return (
    <>
      <span class="grid size-7 shrink-0 place-content-center text-muted">
        <Icon of={icon} class="size-4.5" />
      </span>
      <span dir="auto" class="min-w-0 truncate">
        {name}
      </span>
      {keys && <kbd class="ms-auto font-sans text-xs text-muted">{keys}</kbd>}
    </>
  )
}
