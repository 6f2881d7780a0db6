import { useSignal } from "@preact/signals"
import { ErrorBoundary, lazy } from "preact-iso"
import { languages } from "../../../domain/languages.ts"
import { languageNames } from "../../../languages/writing.ts"
import { isNotifying } from "../../browser-notifications.ts"
import { isManager } from "../../rights.ts"
import { api, type Failure, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { type Account, updateAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"

/** Loaded apart, because most people have none. */
const Devices = lazy(async () => (await import("../../device/devices.tsx")).Devices)

/** Turns notifications of this browser on and off. */
export function Notifications() {
  const { received } = t()
  const refusal = useSignal<Failure | "by the browser" | null>(null)
  const changes = useSignal(0)
  return (
    <div class="grid gap-1">
      <label class="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          class="checkbox"
          checked={isNotifying.value}
          onChange={async ({ currentTarget: box }) => {
            const { notifications } = await import("../../device/device.ts")
            const outcome = await notifications.set(box.checked)
            refusal.value = typeof outcome === "object" ? outcome : outcome ? null : "by the browser"
            box.checked = isNotifying.value
            changes.value += 1
          }}
        />
        {received.notify}
      </label>
      <p class="text-sm text-muted">{received.notifyText}</p>
      <p role="status" class="text-sm text-warning">
        {refusal.value === "by the browser" ? received.notPermitted : refusal.value && messageOf(refusal.value)}
      </p>
      <ErrorBoundary>
        <Devices changes={changes.value} />
      </ErrorBoundary>
    </div>
  )
}

const frequencies = ["each", "daily", "off"] as const

/** Which mail about recognition the user gets, and in which language. A choice is saved at once. */
export function MailChoice({ of: { mail, language } }: { of: Account }) {
  const { profile } = t()
  const saved = useSignal<"not yet" | "saved" | Failure>("not yet")
  const save = async (change: { mail?: Account["mail"]; language?: Account["language"] }) => {
    saved.value = "not yet"
    const answer = await request(api.api.v1.me.patch(change))
    if (answer.kind === "done") updateAccount(answer.data)
    saved.value = answer.kind === "done" ? "saved" : answer
  }
  const failure = typeof saved.value === "string" ? null : saved.value
  return (
    <div class="grid gap-4">
      <fieldset class="grid gap-1">
        <legend class="mb-1 text-sm font-medium">{profile.mailWhen}</legend>
        {frequencies.map((one) => (
          <label key={one} class="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="mail"
              class="size-4 shrink-0 accent-primary"
              checked={mail === one}
              onChange={() => void save({ mail: one })}
            />
            {profile.mailWords[one]}
          </label>
        ))}
        <p class="text-sm text-muted">
          {profile.mailText} {isManager() && profile.mailTeam}
        </p>
      </fieldset>
      <label class="grid max-w-60 gap-1.5">
        <span class="text-sm font-medium">{profile.mailLanguage}</span>
        <select
          class="select w-full border-base-content/45"
          value={language ?? ""}
          onChange={({ currentTarget }) =>
            void save({ language: languages.find((one) => one === currentTarget.value) ?? null })
          }
        >
          <option value="">{profile.serviceLanguage}</option>
          {languages.map((one) => (
            <option key={one} value={one}>
              {languageNames[one]}
            </option>
          ))}
        </select>
      </label>
      <p role="status" class={`min-h-5 text-sm ${failure === null ? "text-muted" : "text-error"}`}>
        {failure === null ? saved.value === "saved" && profile.mailSaved : messageOf(failure)}
      </p>
    </div>
  )
}
