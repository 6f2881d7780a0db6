import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { fill } from "../languages/writing.ts"
import { dayMs, now, parseDate, Time } from "./dates.tsx"
import { Button, useAction } from "./parts/button.tsx"
import { Select } from "./parts/choice.tsx"
import { Question } from "./parts/dialog.tsx"
import { Form, FormField, Notice, useForm } from "./parts/form.tsx"
import { LoadFailure, Skeleton } from "./parts/placeholders.tsx"
import { ShownOnce } from "./parts/shown-once.tsx"
import { type Answer, isNotFound } from "./server/api.ts"
import { messageOf } from "./server/failure-messages.ts"
import type { QueryResult } from "./server/query.ts"
import { t } from "./texts/texts.ts"

interface Token {
  readonly id: number
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly last_used_from: string | null
  /** The account of a service token. */
  readonly username?: string
}

interface TokenListProps {
  readonly of: QueryResult<{ readonly items: readonly Token[] }>
  readonly revoke: (id: number) => Promise<Answer<unknown>>
}

/** API tokens with their last use, and buttons to revoke them. */
export function TokenList({ of: { data, failure, refresh }, revoke }: TokenListProps) {
  const { tokens: texts } = t()
  const asking = useSignal<Token | null>(null)
  const refusal = useSignal<string | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const close = () => {
    asking.value = null
  }
  const revokeNow = async ({ id }: Token) => {
    const answer = await revoke(id)
    // Not found means that the token was revoked meanwhile, which is what the user wanted.
    refusal.value = answer.kind === "done" || isNotFound(answer) ? null : messageOf(answer)
    close()
    await refresh()
    // The focused button was removed together with its token.
    if (refusal.value === null) place.current?.focus()
  }

  if (data === null && failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-14 w-full" />
  const { value: asked } = asking
  return (
    <div ref={place} tabIndex={-1} class="grid gap-4 outline-none">
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      {data.items.length === 0 ? (
        <p class="text-muted">{texts.none}</p>
      ) : (
        <ul class="divide-y divide-line rounded-box bg-base-100 px-4">
          {data.items.map((token) => (
            <Row
              key={token.id}
              of={token}
              onRevoke={() => {
                asking.value = token
              }}
            />
          ))}
        </ul>
      )}
      {asked !== null && (
        <Question
          title={fill(texts.revokeTitle, { name: asked.name })}
          text={texts.revokeLead}
          answer={texts.revoke}
          act={() => revokeNow(asked)}
          onClose={close}
        />
      )}
    </div>
  )
}

function Row({ of: token, onRevoke }: { of: Token; onRevoke: () => void }) {
  const { tokens: texts } = t()
  return (
    <li class="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span class="min-w-0">
        <span dir="auto" class="block font-medium">
          {token.name}
        </span>
        <span class="block text-sm text-muted">
          <span class="font-mono">{token.prefix}…</span> · {token.scopes.map((scope) => texts.scopes[scope]).join(", ")}
          {token.username !== undefined && ` · ${fill(texts.actsFor, { username: token.username })}`}
        </span>
        <span class="block text-sm text-muted">
          <LastUse of={token} /> · <Expiry of={token} />
        </span>
      </span>
      <Button look="plain" label={fill(texts.revokeToken, { name: token.name })} onClick={onRevoke}>
        {texts.revoke}
      </Button>
    </li>
  )
}

function LastUse({ of: { last_used_at, last_used_from } }: { of: Token }) {
  const { tokens: texts } = t()
  if (last_used_at === null) return <>{texts.neverUsed}</>
  return (
    <>
      {texts.used} <Time date={last_used_at} />
      {last_used_from !== null && ` ${fill(texts.from, { address: last_used_from })}`}
    </>
  )
}

function Expiry({ of: { expires_at } }: { of: Token }) {
  const { tokens: texts } = t()
  if (expires_at === null) return <>{texts.neverExpires}</>
  return (
    <>
      {parseDate(expires_at) > now.value ? texts.expiresAt : texts.expired} <Time date={expires_at} />
    </>
  )
}

type Scope = "read" | "give" | "admin"

interface NewTokenProps {
  readonly scopes: readonly Scope[]
  /** Whether the form asks for the account that the token acts for. */
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

/** Days until a token expires; null: never. */
const lifetimes = { month: 30, quarter: 90, year: 365, never: null } as const
type Lifetime = keyof typeof lifetimes

/** The form that creates an API token. Afterwards it shows the token until closed. */
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
  return days === null ? null : new Date(now.value + days * dayMs).toISOString()
}
