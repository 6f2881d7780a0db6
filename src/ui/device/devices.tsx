import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { Time } from "../dates.tsx"
import { Button, useAction } from "../parts/button.tsx"
import { api, type Failure, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { t } from "../texts/texts.ts"

type Device = Extract<Awaited<ReturnType<typeof api.api.v1.me.push.get>>, { error: null }>["data"]["devices"][number]

/** The devices on which the user gets notifications while the app is closed. It loads them again whenever `changes` does. */
export function Devices({ changes }: { changes: unknown }) {
  const devices = useSignal<readonly Device[]>([])
  const failure = useSignal<Failure | null>(null)
  const load = async () => {
    const answer = await request(api.api.v1.me.push.get())
    if (answer.kind === "done") devices.value = answer.data.devices
  }
  const remove = async (id: number) => {
    const answer = await request(api.api.v1.me.push({ id }).delete())
    failure.value = answer.kind === "done" ? null : answer
    await load()
    await import("./device.ts").then(({ notifications }) => notifications.check()).catch(() => {})
  }
  useLayoutEffect(() => {
    void load()
  }, [changes])
  if (devices.value.length === 0) return null
  return (
    <div class="mt-2 grid gap-1">
      <h3 class="text-sm font-medium">{t().profile.devices}</h3>
      <ul class="divide-y divide-line">
        {devices.value.map((device) => (
          <Row key={device.id} of={device} onRemove={() => remove(device.id)} />
        ))}
      </ul>
      <p role="alert" class="text-sm text-error">
        {failure.value && messageOf(failure.value)}
      </p>
    </div>
  )
}

function Row({ of: { name, created_at }, onRemove }: { of: Device; onRemove: () => Promise<void> }) {
  const { busy, run } = useAction(onRemove)
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 py-1">
      <span>
        {name}
        <span class="text-sm text-muted">
          {" · "}
          <Time date={created_at} />
        </span>
      </span>
      <Button look="quiet" label={fill(t().profile.removeNamedDevice, { name })} busy={busy.value} onClick={run}>
        {t().profile.removeDevice}
      </Button>
    </li>
  )
}
