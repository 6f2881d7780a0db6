import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useMemo } from "preact/hooks"
import { Button, useAction } from "../../../parts/button.tsx"
import { type FieldState, Form, useForm } from "../../../parts/form.tsx"
import { retryDelay } from "../../../server/retry.ts"
import type { Programme } from "../../../session.ts"
import { t } from "../../../texts/texts.ts"
import { change, load, type ProgrammeChange, type Stored } from "./stored.ts"

export type Texts<Name extends string> = Readonly<Record<Name, string>>

/** The fields of a part by the server's names: how they are shown as texts, and what is sent for these. */
export interface PartOf<Name extends string> {
  readonly names: readonly Name[]
  readonly read: (programme: Programme) => Texts<Name>
  /** Calls `fail` for what is wrong. */
  readonly changeOf: (texts: Texts<Name>, fail: (name: Name, message: string) => void) => ProgrammeChange
  /** The name and the value of a field in words. */
  readonly inWords: (name: Name, text: string) => { readonly label: string; readonly value: string }
}

interface PartProps<Name extends string> {
  readonly of: PartOf<Name>
  readonly title: string
  readonly lead: string
  /** The address of the part on the page. */
  readonly id?: string
  readonly now: Stored
  /** `wrong`: what the server found wrong, such as `tags.2.name`. */
  readonly children: (fields: Readonly<Record<Name, FieldState>>, wrong: string | null) => ComponentChildren
}

/** How often a change is sent again because others changed other parts meanwhile, and after what time. */
const maxAttempts = 5
const againMs = 600

/**
 * A part of the programme, saved by itself. If somebody else has changed the same part since it was shown, it shows what they
 * saved, and the user decides; changes of other parts do not matter.
 */
export function Part<Name extends string>({ of, title, lead, id, now, children }: PartProps<Name>) {
  const { programme } = t()
  const { names, read, changeOf } = of
  const form = useForm(names)
  const headingId = useId()
  /** What the fields were filled from. */
  const seen = useSignal(now)
  /** What somebody else has saved. */
  const theirs = useSignal<Stored | null>(null)
  const isSaved = useSignal(false)
  const wrong = useSignal<string | null>(null)
  const fillFrom = (from: Stored) => {
    const texts = read(from.programme)
    for (const name of names) form.fields[name].value.value = texts[name]
    seen.value = from
    theirs.value = null
  }
  useMemo(() => fillFrom(now), [])
  const changesOf = (some: Programme) => {
    const texts = read(some)
    return names.filter((name) => form.fields[name].value.value !== texts[name])
  }
  const isChanged = changesOf(seen.value.programme).length > 0
  useLayoutEffect(() => {
    if (!isChanged) fillFrom(now)
  }, [now])

  const { busy, run } = useAction(async () => {
    form.clear()
    wrong.value = null
    isSaved.value = false
    const texts = Object.fromEntries(names.map((name) => [name, form.fields[name].value.value])) as Texts<Name>
    const changes = changeOf(texts, form.fail)
    if (!form.isWrong()) await send(changes)
  })

  async function send(changes: ProgrammeChange) {
    for (let attempt = 1; ; attempt += 1) {
      const before = seen.value
      const answer = await change(changes, before.tag)
      if (answer.kind === "done") {
        fillFrom(answer.data)
        isSaved.value = true
        return
      }
      const isOutdated = answer.kind === "refused" && answer.code === "programme_changed" && attempt < maxAttempts
      const newest = isOutdated ? await load() : answer
      if (newest.kind !== "done") {
        form.refuse(newest)
        wrong.value = newest.kind === "refused" ? (newest.field ?? null) : null
        return void form.isWrong()
      }
      const [known, found] = [read(before.programme), read(newest.data.programme)]
      if (names.some((name) => known[name] !== found[name])) {
        theirs.value = newest.data
        return
      }
      seen.value = newest.data
      // Another process of the server may take a moment to know the change.
      if (newest.data.tag === before.tag) await retryDelay(againMs)
    }
  }

  const replaceTheirs = () => {
    if (theirs.value !== null) seen.value = theirs.value
    theirs.value = null
    void run()
  }
  return (
    <section aria-labelledby={headingId} id={id} class="mt-10 scroll-mt-6">
      <h2 id={headingId} class="text-lg font-semibold tracking-tight">
        {title}
      </h2>
      <p class="mt-0.5 max-w-prose text-sm text-muted">{lead}</p>
      <Form
        class="mt-4 grid grid-cols-1 gap-6 rounded-box border border-line bg-base-100 p-4 sm:p-6"
        refusal={form.refusal.value}
        onSubmit={run}
      >
        {children(form.fields, wrong.value)}
        {theirs.value !== null && (
          <Conflict
            changes={changesOf(theirs.value.programme).map((name) =>
              of.inWords(name, read(theirs.value?.programme ?? now.programme)[name]),
            )}
            onUse={() => theirs.value !== null && fillFrom(theirs.value)}
            onReplace={replaceTheirs}
          />
        )}
        <div class="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line pt-4">
          <p role="status" class={`text-sm ${isChanged ? "text-muted" : "text-success"}`}>
            {isChanged ? programme.unsaved : isSaved.value && programme.saved}
          </p>
          <Button busy={busy.value} look={isChanged ? "main" : "plain"}>
            {programme.save}
          </Button>
        </div>
      </Form>
    </section>
  )
}

interface ConflictProps {
  readonly changes: readonly { readonly label: string; readonly value: string }[]
  readonly onUse: () => void
  readonly onReplace: () => void
}

/** What somebody else has saved in place of what the user saw. */
function Conflict({ changes, onUse, onReplace }: ConflictProps) {
  const { programme } = t()
  return (
    <div role="alert" class="grid gap-3 rounded-field border border-warning/25 bg-warning/10 px-3.5 py-3 text-sm">
      <p>{programme.conflict}</p>
      <dl class="grid gap-1">
        {changes.map(({ label, value }) => (
          <div key={label}>
            <dt class="inline font-medium">{label}: </dt>
            <dd dir="auto" class="inline">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <p class="flex flex-wrap gap-2">
        <Button look="plain" onClick={onUse}>
          {programme.theirs}
        </Button>
        <Button look="plain" onClick={onReplace}>
          {programme.mine}
        </Button>
      </p>
    </div>
  )
}
