import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Avatar } from "../../parts/avatar.tsx"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/notice.tsx"
import { useAct } from "../../parts/use-act.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { putPicture } from "../../server/put-picture.ts"
import { wordsOf } from "../../server/words.ts"
import { type Account, tellAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { PictureAddress } from "./picture-address.tsx"
import { smallPicture } from "./small-picture.ts"

/** What shall be shown, and is not saved yet. */
type Draft =
  | { readonly kind: "file"; readonly picture: Blob; readonly src: string }
  | { readonly kind: "address"; readonly src: string | null }
  | { readonly kind: "none"; readonly src: null }

/** The own face: from the own device, from an address, or none; seen before it is saved. */
export function Picture({ of }: { of: Account }) {
  const { profile } = t()
  const draft = useSignal<Draft | null>(null)
  const broken = useSignal<string | null>(null)
  const wrong = useSignal<string | null>(null)
  const isSaved = useSignal(false)
  const chooser = useRef<HTMLInputElement>(null)

  const change = (to: Draft | null) => {
    if (draft.value?.kind === "file") URL.revokeObjectURL(draft.value.src)
    draft.value = to
    wrong.value = null
    isSaved.value = false
  }
  useLayoutEffect(() => () => change(null), [])

  const take = async (file: File | undefined) => {
    if (file === undefined) return
    const picture = await smallPicture(file)
    change(picture && { kind: "file", picture, src: URL.createObjectURL(picture) })
    if (picture === null) wrong.value = profile.noPicture
  }
  const { busy, run } = useAct(async () => {
    const chosen = draft.value
    if (chosen === null) return
    const answer = await (chosen.kind === "file"
      ? putPicture(chosen.picture)
      : ask(api.api.v1.me.patch({ avatar: chosen.src })))
    if (answer.kind !== "done") {
      wrong.value = wordsOf(answer)
      return
    }
    tellAccount(answer.data)
    change(null)
    isSaved.value = true
    chooser.current?.focus()
  })

  const shown = draft.value === null ? of.avatar : draft.value.src
  const isFit = shown === null ? draft.value?.kind === "none" : shown !== broken.value
  const canSave = draft.value !== null && isFit && shown !== of.avatar
  return (
    <div class="grid gap-4">
      <div class="flex flex-wrap items-center gap-5">
        <Avatar {...of} src={shown} size="large" onBroken={(src) => (broken.value = src)} />
        <div class="flex flex-wrap gap-2">
          <label class="btn btn-outline border-line font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
            <input
              ref={chooser}
              type="file"
              accept="image/*"
              class="sr-only"
              onChange={(event) => {
                const { currentTarget } = event
                void take(currentTarget.files?.[0])
                currentTarget.value = ""
              }}
            />
            {profile.choosePicture}
          </label>
          <Button look="plain" onClick={() => change({ kind: "address", src: null })}>
            {profile.useAddress}
          </Button>
          {of.avatar !== null && (
            <Button look="plain" onClick={() => change({ kind: "none", src: null })}>
              {profile.removePicture}
            </Button>
          )}
        </div>
      </div>
      {draft.value?.kind === "address" && (
        <PictureAddress broken={broken.value} onSrc={(src) => change({ kind: "address", src })} />
      )}
      {wrong.value !== null && <Notice kind="wrong">{wrong.value}</Notice>}
      {draft.value !== null && (
        <div class="flex flex-wrap items-center gap-2">
          {canSave && (
            <Button busy={busy.value} onClick={run}>
              {profile.savePicture}
            </Button>
          )}
          <Button
            look="quiet"
            onClick={() => {
              change(null)
              chooser.current?.focus()
            }}
          >
            {profile.cancel}
          </Button>
        </div>
      )}
      <p role="status" class="text-sm text-primary empty:hidden">
        {isSaved.value ? profile.saved : canSave && <span class="text-muted">{profile.notSaved}</span>}
      </p>
    </div>
  )
}
