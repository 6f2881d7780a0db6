import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { Time } from "../dates.tsx"
import { Button, useAction } from "../parts/button.tsx"
import { Question } from "../parts/dialog.tsx"
import { Form, FormField, Notice, useForm } from "../parts/form.tsx"
import { LoadFailure, Skeleton } from "../parts/placeholders.tsx"
import { QrCode } from "../parts/qr-code.tsx"
import { ShownOnce } from "../parts/shown-once.tsx"
import { type Answer, api, type Failure, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { createQuery } from "../server/query.ts"
import { askToLogInAgain } from "../session.ts"
import { formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { canUsePasskeys, createPasskey } from "./passkey.ts"

const useFactors = createQuery((_: null) => request(api.api.v1.me["second-factors"].get()))

type Factor = NonNullable<ReturnType<typeof useFactors>["data"]>["items"][number]

interface SecondFactorsProps {
  /** Called after a factor was added or removed, because the server then ends the user's other sessions. */
  readonly onChange: () => unknown
}

/** The user's second factors: a list, buttons to add one, and recovery codes. */
export function SecondFactors({ onChange }: SecondFactorsProps) {
  const { factors } = t()
  const { data, failure, refresh } = useFactors(null)
  const adding = useSignal<"passkey" | "totp" | null>(null)
  const codes = useSignal<readonly string[] | null>(null)
  const refusal = useSignal<string | null>(null)
  const lead = useRef<HTMLParagraphElement>(null)

  const makeCodes = useAction(async () => {
    refusal.value = null
    const answer = await request(api.api.v1.me["recovery-codes"].post())
    if (answer.kind === "done") codes.value = answer.data.codes
    else refuse(answer)
    await refresh()
  })
  const changed = async () => {
    adding.value = null
    // Recovery codes come with the first factor, because otherwise a lost phone would lock its owner out.
    if (data?.recovery_codes === 0) await makeCodes.run()
    else await refresh()
    await onChange()
    lead.current?.focus()
  }
  function refuse(answer: Failure) {
    adding.value = null
    if (!askToLogInAgain(answer)) refusal.value = messageOf(answer)
  }
  const remove = async (id: number) => {
    refusal.value = null
    const answer = await request(api.api.v1.me["second-factors"]({ id }).delete())
    if (answer.kind !== "done") return refuse(answer)
    await Promise.all([refresh(), onChange()])
    lead.current?.focus()
  }

  if (data === null && failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-14 w-full" />
  return (
    <div class="grid gap-4">
      <p ref={lead} tabIndex={-1} class="text-sm text-muted outline-none">
        {factors.lead}
      </p>
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      {data.items.length > 0 && (
        <ul class="divide-y divide-line rounded-box bg-base-100 px-4">
          {data.items.map((factor) => (
            <Row key={factor.id} of={factor} onRemove={() => remove(factor.id)} />
          ))}
        </ul>
      )}
      {codes.value !== null && (
        <ShownOnce
          label={factors.keepCodes}
          secret={codes.value.join("\n")}
          onClose={() => {
            codes.value = null
          }}
        />
      )}
      {adding.value === "passkey" && <AddPasskey onAdded={changed} onRefused={refuse} />}
      {adding.value === "totp" && <AddCodes onAdded={changed} onRefused={refuse} />}
      {adding.value === null && codes.value === null && (
        <p class="flex flex-wrap gap-2">
          {data.passkeys && canUsePasskeys && (
            <Button
              look="plain"
              onClick={() => {
                adding.value = "passkey"
              }}
            >
              {factors.addPasskey}
            </Button>
          )}
          <Button
            look="plain"
            onClick={() => {
              adding.value = "totp"
            }}
          >
            {factors.addCodes}
          </Button>
        </p>
      )}
      {data.items.length > 0 && codes.value === null && (
        <p class="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <span class={data.recovery_codes < 3 ? "text-error" : "text-muted"}>
            {formatPlural(data.recovery_codes, factors.codesLeft)}
          </span>
          <Button look="quiet" busy={makeCodes.busy.value} onClick={makeCodes.run}>
            {factors.newCodes}
          </Button>
        </p>
      )}
    </div>
  )
}

SecondFactors.prefetch = () => useFactors.prefetch(null)

function Row({ of, onRemove }: { of: Factor; onRemove: () => Promise<void> }) {
  const { factors } = t()
  const isAsking = useSignal(false)
  const close = () => {
    isAsking.value = false
  }
  const { busy, run } = useAction(async () => {
    close()
    await onRemove()
  })
  return (
    <li class="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span>
        <bdi class="block font-medium">{of.name}</bdi>
        <span class="block text-sm text-muted">
          {factors.kinds[of.kind]}
          {" · "}
          {of.last_used_at === null ? factors.added : factors.used} <Time date={of.last_used_at ?? of.created_at} />
        </span>
      </span>
      <Button
        look="plain"
        label={fill(factors.removeFactor, { name: of.name })}
        busy={busy.value}
        onClick={() => {
          isAsking.value = true
        }}
      >
        {factors.remove}
      </Button>
      {isAsking.value && (
        <Question
          title={fill(factors.removeTitle, { name: of.name })}
          text={factors.removeLead}
          answer={factors.remove}
          act={run}
          onClose={close}
        />
      )}
    </li>
  )
}

interface AddProps {
  readonly onAdded: () => Promise<void>
  readonly onRefused: (failure: Failure) => void
}

function AddPasskey({ onAdded, onRefused }: AddProps) {
  const { factors, secondFactor } = t()
  const form = useForm(["name"])
  const { busy, run } = useAction(async () => {
    form.clear()
    const begun = await request(api.api.v1.me.passkeys.options.post())
    if (begun.kind !== "done") return onRefused(begun)
    const response = await createPasskey(begun.data.options)
    if (response === null) {
      form.refusal.value = secondFactor.noPasskey
      return
    }
    const { challenge } = begun.data
    const name = form.of("name") || factors.kinds.passkey
    const answer = await request(api.api.v1.me.passkeys.post({ challenge, response, name }))
    if (answer.kind === "done") return onAdded()
    form.refuse(answer)
    form.isWrong()
  })
  return (
    <Form class="grid max-w-md gap-4" refusal={form.refusal.value} onSubmit={run}>
      <p class="text-sm text-muted">{factors.passkeyLead}</p>
      <FormField of={form.fields.name} label={factors.name} placeholder={factors.kinds.passkey} />
      <p>
        <Button busy={busy.value}>{factors.createPasskey}</Button>
      </p>
    </Form>
  )
}

function AddCodes({ onAdded, onRefused }: AddProps) {
  const { factors, secondFactor } = t()
  const setup = useSignal<{ readonly secret: string; readonly uri: string } | null>(null)
  const form = useForm(["code"])
  const begin = async () => {
    const answer = await request(api.api.v1.me.totp.post())
    if (answer.kind === "done") setup.value = answer.data
    else onRefused(answer)
  }
  useLayoutEffect(() => void begin(), [])
  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("code") === "") form.fail("code", secondFactor.missingCode)
    if (form.isWrong()) return
    const name = factors.kinds.totp
    const answer: Answer<unknown> = await request(api.api.v1.me.totp.confirmation.post({ code: form.of("code"), name }))
    if (answer.kind === "done") return onAdded()
    form.refuse(answer)
    form.isWrong()
  })
  if (setup.value === null) return <Skeleton class="h-48 w-full max-w-md" />
  return (
    <Form class="grid max-w-md gap-4" refusal={form.refusal.value} onSubmit={run}>
      <p class="text-sm text-muted">{factors.codesLead}</p>
      <QrCode text={setup.value.uri} label={factors.qrCode} class="size-48" />
      <p class="text-sm text-muted">
        {factors.typeSecret}
        <code class="mt-1 block font-mono break-all text-base-content select-all">{setup.value.secret}</code>
      </p>
      <FormField of={form.fields.code} label={secondFactor.code} autoComplete="one-time-code" />
      <p>
        <Button busy={busy.value}>{factors.confirm}</Button>
      </p>
    </Form>
  )
}
