import { useSignal } from "@preact/signals"
import { languageNames, languages } from "../../../domain/languages/languages.ts"
import { isNotifying, setNotifications } from "../../browser-notifications.ts"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { type Account, updateAccount } from "../../session.ts"
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
            isRefused.value = !(await setNotifications(box.checked))
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

const frequencies = ["each", "daily", "off"] as const

/** Which mail about recognition the user gets, and in which language. A choice is saved at once. */
export function MailChoice({ of: { mail, language } }: { of: Account }) {
  const { profile } = t()
  const said = useSignal<{ readonly text: string; readonly isFailure: boolean } | null>(null)
  const save = async (change: { mail?: Account["mail"]; language?: Account["language"] }) => {
    said.value = null
    const answer = await request(api.api.v1.me.patch(change))
    if (answer.kind === "done") updateAccount(answer.data)
    said.value =
      answer.kind === "done"
        ? { text: profile.mailSaved, isFailure: false }
        : { text: messageOf(answer), isFailure: true }
  }
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
        <p class="text-sm text-muted">{profile.mailText}</p>
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
      <p role="status" class={`min-h-5 text-sm ${said.value?.isFailure ? "text-error" : "text-muted"}`}>
        {said.value?.text}
      </p>
    </div>
  )
}
