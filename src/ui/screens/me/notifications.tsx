import { useSignal } from "@preact/signals"
import { isNotifying, turnNotifications } from "../../browser-notifications.ts"
import { t } from "../../texts/texts.ts"

/** Turns notifications of this browser on and off. */
export function Notifications() {
  const { received } = t()
  const isRefused = useSignal(false)
  return (
    <div class="grid gap-1">
      <label class="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          class="checkbox"
          checked={isNotifying.value}
          onChange={async ({ currentTarget: box }) => {
            isRefused.value = !(await turnNotifications(box.checked))
            box.checked = isNotifying.value
          }}
        />
        {received.notify}
      </label>
      <p class="text-sm text-muted">{received.notifyText}</p>
      <p role="status" class="text-sm text-warning">
        {isRefused.value && received.notPermitted}
      </p>
    </div>
  )
}
