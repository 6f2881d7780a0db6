import { type Signal, useSignal } from "@preact/signals"
import { X } from "lucide"
import { fill } from "../../languages/writing.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Notice } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../parts/placeholders.tsx"
import { api, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { createQuery } from "../server/query.ts"
import { t } from "../texts/texts.ts"

const useTemplates = createQuery((_: null) => request(api.api.v1.me.templates.get()))

/** The user's own templates of reasons: insert one, save the current reason as one, or delete one. */
export function Templates({ reason, onUse }: { reason: Signal<string>; onUse: () => void }) {
  const { give } = t()
  const { data, failure, refresh } = useTemplates(null)
  const refusal = useSignal<string | null>(null)
  const items = data?.items ?? []
  const { busy, run } = useAction(() => save([reason.value.trim(), ...items]))

  async function save(reasons: readonly string[]) {
    const answer = await request(api.api.v1.me.templates.put({ items: [...reasons] }))
    refusal.value = answer.kind === "done" ? null : messageOf(answer)
    if (answer.kind === "done") await refresh()
  }

  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-11 w-full" />
  const isNew = reason.value.trim() !== "" && !items.includes(reason.value.trim())
  return (
    <div class="grid gap-1 rounded-field bg-base-200 p-2 text-sm">
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      {items.length === 0 && <p class="px-2 py-1 text-muted">{give.noTemplates}</p>}
      <ul>
        {items.map((text) => (
          <li key={text} class="flex items-center">
            <button
              type="button"
              dir="auto"
              class="min-h-9 min-w-0 grow rounded-field px-2 text-start hover:bg-base-300/60 pointer-coarse:min-h-11"
              onClick={() => {
                reason.value = reason.value.trim() === "" ? text : `${reason.value.trimEnd()}\n${text}`
                onUse()
              }}
            >
              <span class="line-clamp-2">{text}</span>
            </button>
            <button
              type="button"
              class="btn btn-ghost btn-sm btn-square text-muted"
              aria-label={fill(give.deleteTemplate, { text })}
              onClick={() => save(items.filter((one) => one !== text))}
            >
              <Icon of={X} class="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
      {isNew && (
        <p>
          <Button look="quiet" busy={busy.value} onClick={run}>
            {give.keepTemplate}
          </Button>
        </p>
      )}
    </div>
  )
}
