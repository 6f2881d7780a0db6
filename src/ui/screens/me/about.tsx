import { useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { loadDraft, storeDraft } from "../../browser-storage.ts"
import { Avatar, isSafePicture } from "../../parts/avatar.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Field, Form, FormField, Notice, TextArea, useForm } from "../../parts/form.tsx"
import { shrinkPicture } from "../../parts/shrink-picture.ts"
import { api, request, upload } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { type Account, service, updateAccount } from "../../session.ts"
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
      form.refuse(answer)
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

/** The new picture before it is saved. */
type Draft =
  | { readonly kind: "file"; readonly picture: Blob; readonly src: string }
  | { readonly kind: "address"; readonly src: string | null }
  | { readonly kind: "none"; readonly src: null }

/** The user's own picture: from a file, from an address, or none; with a preview before it is saved. */
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
    const picture = await shrinkPicture(file, "avatar")
    change(picture && { kind: "file", picture, src: URL.createObjectURL(picture) })
    if (picture === null) wrong.value = profile.noPicture
  }
  const { busy, run } = useAction(async () => {
    const chosen = draft.value
    if (chosen === null) return
    const answer = await (chosen.kind === "file"
      ? putPicture(chosen.picture)
      : request(api.api.v1.me.patch({ avatar: chosen.src })))
    if (answer.kind !== "done") {
      wrong.value = messageOf(answer)
      return
    }
    updateAccount(answer.data)
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
      {wrong.value !== null && <Notice kind="error">{wrong.value}</Notice>}
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
            {t().parts.cancel}
          </Button>
        </div>
      )}
      <p role="status" class="text-sm text-primary empty:hidden">
        {isSaved.value ? profile.saved : canSave && <span class="text-muted">{profile.notSaved}</span>}
      </p>
    </div>
  )
}

/** Waits for a pause in typing before it loads the picture. */
const pauseMs = 300

interface PictureAddressProps {
  /** The last address that failed to load. */
  readonly broken: string | null
  /** Called with the picture to preview; null if there is none. */
  readonly onSrc: (src: string | null) => void
}

/** A field for the address of a picture on another server. */
function PictureAddress({ broken, onSrc }: PictureAddressProps) {
  const { profile } = t()
  const hosts = service.value?.avatar_hosts ?? []
  const text = useSignal("")
  const error = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const address = text.value.trim()
  useLayoutEffect(() => input.current?.focus(), [])
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      const isUrl = /^https?:\/\/./.test(address)
      const isFine = isUrl && isAllowedPicture(address, hosts)
      error.value = address === "" || isFine ? null : isUrl ? profile.foreignPicture : profile.noAddress
      if (isFine || address === "") onSrc(address || null)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [address, hosts.length])

  return (
    <Field
      label={profile.address}
      value={text}
      input={input}
      autoComplete="off"
      autoCapitalize="none"
      error={error.value ?? (broken !== null && broken === address ? profile.brokenPicture : null)}
    />
  )
}

/** Whether the Content-Security-Policy allows pictures from this address. */
function isAllowedPicture(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address, location.origin)
  if (url === null || !/^https?:$/.test(url.protocol) || !isSafePicture(address)) return false
  if (url.origin === location.origin || hosts.includes("*")) return true
  return hosts.some((host) => (host.startsWith("*.") ? url.host.endsWith(host.slice(1)) : url.host === host))
}

const putPicture = (picture: Blob) => upload<Account>("/api/v1/me/avatar", { method: "PUT", body: picture })
