import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { addresses, withQuery } from "../../addresses.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, FormField, Notice, useForm } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { management } from "../../people.ts"
import { isSuperuser } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { account } from "../../session.ts"
import { formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"

type Rename = Extract<Awaited<ReturnType<ReturnType<typeof api.api.v1.departments>["patch"]>>, { error: null }>["data"]

/** All departments: first those with active people, then those that everybody has left, with 0 people. */
const useEveryDepartment = createQuery(async (_: null) => {
  const { departments } = api.api.v1
  const [active, inactive] = await Promise.all([
    request(departments.get({ query: {} })),
    request(departments.get({ query: { active: "false" } })),
  ])
  if (active.kind !== "done") return active
  if (inactive.kind !== "done") return inactive
  const names = new Set(active.data.items.map(({ name }) => name))
  const left = inactive.data.items.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, people: 0 }))
  return { kind: "done" as const, data: [...active.data.items, ...left] }
})

/**
 * The departments with the number of active people in each, also those that everybody has left. Those who run the programme
 * rename and merge them here.
 */
export function Departments() {
  const texts = t().departments
  const { data, failure, refresh } = useEveryDepartment(null)
  const renaming = useSignal<string | null>(null)
  const done = useSignal<Rename | null>(null)
  const lead = useRef<HTMLParagraphElement>(null)
  const close = () => {
    renaming.value = null
  }
  return (
    <AdminLayout title={texts.title} isPart>
      <p ref={lead} tabIndex={-1} class="mt-1 max-w-xl text-muted outline-none">
        {texts.lead}
      </p>
      <div class="mt-6 grid max-w-xl gap-4">
        {done.value !== null && <Notice kind="info">{doneText(done.value)}</Notice>}
        {failure !== null ? (
          <LoadFailure failure={failure} onRetry={refresh} />
        ) : data === null ? (
          <Skeleton class="h-40 w-full rounded-box" />
        ) : (
          <ul class="divide-y divide-line rounded-box bg-base-100 px-4">
            {data.map(({ name, people }) => (
              <li key={name} class="flex min-h-16 items-center justify-between gap-4 py-2.5">
                <span class="min-w-0">
                  <a
                    href={withQuery(addresses.people, { department: name, active: people === 0 ? "false" : "" })}
                    dir="auto"
                    class="block font-medium wrap-anywhere hover:underline"
                  >
                    {name}
                  </a>
                  <span class="block text-sm text-muted">
                    {people === 0 ? texts.left : formatPlural(people, t().give.people)}
                    {name === management ? ` · ${texts.superusers}` : !mayRename(name) && ` · ${texts.own}`}
                  </span>
                </span>
                {mayRename(name) && (
                  <Button
                    look="plain"
                    onClick={() => {
                      renaming.value = name
                    }}
                  >
                    {texts.rename}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {renaming.value !== null && (
        <Renaming
          of={renaming.value}
          onClose={close}
          onDone={async (renamed) => {
            close()
            done.value = renamed
            await refresh()
            // The focused button was removed together with the old name.
            lead.current?.focus()
          }}
        />
      )}
    </AdminLayout>
  )
}

/** Only superusers rename their own department, because an allowance may follow the name. */
const mayRename = (name: string): boolean => name !== management && (isSuperuser() || name !== account.value?.dept)

Departments.prefetch = () => useEveryDepartment.prefetch(null)

function doneText({ name: to, people }: Rename): string {
  const { doneLeft, done } = t().departments
  return fill(people === 0 ? doneLeft : formatPlural(people, done), { to })
}

interface RenamingProps {
  readonly of: string
  readonly onClose: () => void
  readonly onDone: (renamed: Rename) => Promise<void>
}

/** Asks for the new name, shows what the change would do, and then makes the change. */
function Renaming({ of: from, onClose, onDone }: RenamingProps) {
  const texts = t().departments
  const form = useForm(["name"])
  /** What the typed name would change; null until the server has answered. */
  const preview = useSignal<Rename | null>(null)
  const path = api.api.v1.departments({ name: from })

  const { busy, run } = useAction(async () => {
    form.clear()
    const name = form.of("name")
    if (name === "") form.fail("name", texts.missing)
    else if (name === from) form.fail("name", texts.same)
    if (form.isWrong()) return
    const shown = preview.value
    const merge = shown !== null && shown.joins !== null
    const query = shown === null ? { dry_run: "true" } : {}
    const answer = await request(path.patch({ name, merge }, { query }))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    if (shown !== null) await onDone(answer.data)
    else if (form.of("name") === name) preview.value = answer.data
  })

  const { value: shown } = preview
  const answer = shown === null ? texts.next : shown.joins === null ? texts.rename : texts.merge
  return (
    <Dialog title={fill(texts.renameTitle, { name: from })} onClose={onClose}>
      <Form
        refusal={form.refusal.value}
        onSubmit={run}
        onInput={() => {
          preview.value = null
        }}
      >
        <FormField label={texts.newName} of={form.fields.name} autoComplete="off" />
        <div role="status" class="empty:hidden">
          {shown !== null && <Effects from={from} of={shown} />}
        </div>
        <DialogButtons onClose={onClose}>
          <Button look={shown === null || shown.joins === null ? "main" : "danger"} busy={busy.value}>
            {answer}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

function Effects({ from, of: { name: to, people, allowances, joins } }: { from: string; of: Rename }) {
  const texts = t().departments
  const names = { from, to }
  return (
    <ul dir="auto" class="grid list-disc gap-1.5 ps-5 text-sm wrap-anywhere">
      <li>{fill(people === 0 ? texts.movesLeft : formatPlural(people, texts.moves), names)}</li>
      {allowances > 0 && <li>{fill(formatPlural(allowances, texts.follows), names)}</li>}
      {joins !== null && (
        <li class="font-medium text-error">
          {fill(joins === 0 ? texts.joinsLeft : formatPlural(joins, texts.joins), names)}
        </li>
      )}
    </ul>
  )
}
