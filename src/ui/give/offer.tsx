import { Users } from "lucide"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { fill, formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Receiver } from "./gift.ts"

/** Somebody to pick, or to look at: face, name, and what tells people of one name apart. */
export function Offer({ of }: { of: Receiver }) {
  const isPerson = of.kind === "person"
  return (
    <>
      {isPerson ? (
        <Avatar name={of.name} username={of.username} src={of.avatar} size="small" />
      ) : (
        <span class="grid size-7 shrink-0 place-content-center rounded-full bg-base-300 text-muted">
          <Icon of={Users} class="size-4" />
        </span>
      )}
      <span class="min-w-0 grow">
        <span dir="auto" class="block truncate">
          {isPerson ? of.name : fill(t().give.everybodyIn, { name: of.name })}
        </span>
        <span class="block truncate text-xs text-muted">
          {isPerson ? (
            <>
              {of.username} · <span dir="auto">{of.dept}</span>
            </>
          ) : (
            formatPlural(of.people, t().give.people)
          )}
        </span>
      </span>
    </>
  )
}
