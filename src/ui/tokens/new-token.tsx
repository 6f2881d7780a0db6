import { useSignal } from "@preact/signals"
import { now } from "../dates.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Form, FormField, useForm } from "../parts/form.tsx"
import { Select } from "../parts/select.tsx"
import { ShownOnce } from "../parts/shown-once.tsx"
import type { Answer } from "../server/request.ts"
import { fill } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

type Scope = "read" | "give" | "admin"

interface NewTokenProps {
  readonly scopes: readonly Scope[]
  /** Asks for the account that the token acts for. */
  readonly forAccount?: boolean
  readonly create: (body: Body) => Promise<Answer<{ readonly name: string; readonly token: string }>>
  readonly onCreated: () => Promise<void>
}

interface Body {
  readonly name: string
  readonly username: string
  readonly scopes: Scope[]
  readonly expires_at: string | null
}

const fields = ["name", "username"] as const

/** Days until a token expires; null: it never does. */
const lifetimes = { month: 30, quarter: 90, year: 365, never: null } as const
type Lifetime = keyof typeof lifetimes

/** The form that creates an API token, and after that the token itself until it is closed. */
export function NewToken({ scopes, forAccount = false, create, onCreated }: NewTokenProps) {
  const { tokens: texts } = t()
  const form = useForm(fields)
  const scope = useSignal<string>("read")
  const lifetime = useSignal<string>("year")
  const created = useSignal<{ readonly name: string; readonly token: string } | null>(null)

  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("name") === "") form.fail("name", texts.missingName)
    if (forAccount && form.of("username") === "") form.fail("username", texts.missingUsername)
    if (form.isWrong()) return
    const answer = await create({
      name: form.of("name"),
      username: form.of("username"),
      scopes: scopes.filter((one) => one === scope.value),
      expires_at: expiryOf(lifetime.value),
    })
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    for (const field of fields) form.fields[field].value.value = ""
    created.value = answer.data
    await onCreated()
  })

  return (
    <>
      {created.value !== null && (
        <ShownOnce
          label={fill(texts.secret, { name: created.value.name })}
          secret={created.value.token}
          onClose={() => {
            created.value = null
          }}
        />
      )}
      <Form class="grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
        <FormField label={texts.name} of={form.fields.name} autoComplete="off" />
        {forAccount && (
          <FormField label={texts.username} of={form.fields.username} autoComplete="off" autoCapitalize="none" />
        )}
        <Select label={texts.scope} value={scope} options={scopes.map((one) => [one, texts.scopes[one]])} />
        <Select
          label={texts.expires}
          value={lifetime}
          options={(Object.keys(lifetimes) as Lifetime[]).map((one) => [one, texts.lifetimes[one]])}
        />
        <p class="justify-self-start">
          <Button busy={busy.value}>{texts.create}</Button>
        </p>
      </Form>
    </>
  )
}

function expiryOf(lifetime: string): string | null {
  const days = lifetimes[lifetime as Lifetime]
  return days === null ? null : new Date(now.value + days * 24 * 3_600_000).toISOString()
}
