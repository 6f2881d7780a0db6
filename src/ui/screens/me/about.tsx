import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { loadDraft, storeDraft } from "../../browser-storage.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, FormField, TextArea, useForm } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
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
  const form = useForm(["name", "bio"])
  const { name, bio } = form.fields
  useMemo(() => {
    name.value.value = loadDraft(username, namePlace) ?? of.name
    bio.value.value = loadDraft(username, bioPlace) ?? of.bio ?? ""
  }, [])
  const isSaved = useSignal(false)
  const isLeft = useSignal(name.value.peek() !== of.name || bio.value.peek() !== (of.bio ?? ""))

  const { busy, run } = useAction(async () => {
    form.clear()
    isSaved.value = false
    if (form.of("name") === "") form.fail("name", profile.missingName)
    if ([...bio.value.value].length > maxBio) form.fail("bio", profile.longBio)
    if (form.isWrong()) return

    const answer = await request(api.api.v1.me.patch({ name: form.of("name"), bio: form.of("bio") || null }))
    if (answer.kind !== "done") {
      const isNamesake = answer.kind === "refused" && answer.status === 409
      if (isNamesake) form.fail("name", messageOf(answer))
      else form.refuse(answer)
      return void form.isWrong()
    }
    for (const place of [namePlace, bioPlace]) storeDraft(username, place, null)
    isLeft.value = false
    updateAccount(answer.data)
    isSaved.value = true
  })

  return (
    <Form
      refusal={form.refusal.value}
      onSubmit={run}
      onInput={() => {
        isSaved.value = false
        storeDraft(username, namePlace, name.value.value === of.name ? null : name.value.value)
        storeDraft(username, bioPlace, bio.value.value === (of.bio ?? "") ? null : bio.value.value)
      }}
    >
      <FormField label={profile.name} of={name} />
      <TextArea label={profile.bio} value={bio.value} max={maxBio} error={bio.error.value} input={bio.input} />
      <div class="flex flex-wrap items-center gap-4">
        <Button busy={busy.value}>{profile.save}</Button>
        <p role="status" class="text-sm text-primary">
          {isSaved.value ? profile.saved : isLeft.value && <span class="text-muted">{profile.notSaved}</span>}
        </p>
      </div>
    </Form>
  )
}
