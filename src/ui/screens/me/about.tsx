import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { loadDraft, storeDraft } from "../../browser-storage.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Field, TextArea } from "../../parts/fields.tsx"
import { Form, ruleOf } from "../../parts/form.tsx"
import { api } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { type Failure, request } from "../../server/request.ts"
import { type Account, updateAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"

/** The server's limit. */
const maxBio = 2000

/** The names under which the drafts are stored. */
const [namePlace, bioPlace] = ["name", "bio"]

/** The form for the full name and the text about oneself. */
export function About({ of }: { of: Account }) {
  const { profile } = t()
  const { username } = of
  const name = useSignal(loadDraft(username, namePlace) ?? of.name)
  const bio = useSignal(loadDraft(username, bioPlace) ?? of.bio ?? "")
  const nameError = useSignal<string | null>(null)
  const bioError = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const isSaved = useSignal(false)
  const isLeft = useSignal(name.peek() !== of.name || bio.peek() !== (of.bio ?? ""))
  const nameInput = useRef<HTMLInputElement>(null)
  const bioInput = useRef<HTMLTextAreaElement>(null)

  const { busy, run } = useAction(async () => {
    refusal.value = null
    isSaved.value = false
    nameError.value = name.value.trim() === "" ? profile.missingName : null
    bioError.value = [...bio.value].length > maxBio ? profile.longBio : null
    if (nameError.value !== null) return nameInput.current?.focus()
    if (bioError.value !== null) return bioInput.current?.focus()

    const answer = await request(api.api.v1.me.patch({ name: name.value.trim(), bio: bio.value.trim() || null }))
    if (answer.kind !== "done") return refuse(answer)
    for (const place of [namePlace, bioPlace]) storeDraft(username, place, null)
    isLeft.value = false
    updateAccount(answer.data)
    isSaved.value = true
  })

  /** Shows the server's error at the field that it names, else above the form. */
  function refuse(failure: Failure) {
    const [, field = "", rule = ""] = (failure.kind === "refused" && /^(\w+): (.+)$/s.exec(failure.detail)) || []
    const isNamesake = failure.kind === "refused" && failure.status === 409
    if (field === "bio") bioError.value = ruleOf(field, rule)
    else if (field === "name") nameError.value = ruleOf(field, rule)
    else if (isNamesake) nameError.value = messageOf(failure)
    else refusal.value = messageOf(failure)
    if (nameError.value !== null) nameInput.current?.focus()
    else if (bioError.value !== null) bioInput.current?.focus()
  }

  return (
    <Form
      refusal={refusal.value}
      onSubmit={run}
      onInput={() => {
        isSaved.value = false
        storeDraft(username, namePlace, name.value === of.name ? null : name.value)
        storeDraft(username, bioPlace, bio.value === (of.bio ?? "") ? null : bio.value)
      }}
    >
      <Field label={profile.name} value={name} error={nameError.value} input={nameInput} />
      <TextArea label={profile.bio} value={bio} max={maxBio} error={bioError.value} input={bioInput} />
      <div class="flex flex-wrap items-center gap-4">
        <Button busy={busy.value}>{profile.save}</Button>
        <p role="status" class="text-sm text-primary">
          {isSaved.value ? profile.saved : isLeft.value && <span class="text-muted">{profile.notSaved}</span>}
        </p>
      </div>
    </Form>
  )
}
