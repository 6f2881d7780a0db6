import { useSignal } from "@preact/signals"
import { addresses } from "../../addresses.ts"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/notice.tsx"
import { useAct } from "../../parts/use-act.ts"
import { wordsOf } from "../../server/words.ts"
import { fill, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { FilePicker } from "./file-picker.tsx"
import { type ImportTold, importPeople } from "./import-people.ts"
import { Office } from "./office.tsx"
import { WrongRows } from "./wrong-rows.tsx"

/** People from a file: looked at first, then taken in, all or nothing. */
export function Import() {
  const { imports } = t()
  const file = useSignal<File | null>(null)
  /** What the file would do; null while nobody has looked. */
  const found = useSignal<ImportTold | null>(null)
  const done = useSignal<ImportTold | null>(null)
  const isInviting = useSignal(true)
  const refusal = useSignal<string | null>(null)

  const looking = useAct(async () => {
    found.value = null
    done.value = null
    refusal.value = null
    if (file.value === null) return
    const answer = await importPeople(file.value, { dryRun: true, invite: false })
    if (answer.kind === "done") found.value = answer.data
    else refusal.value = wordsOf(answer)
  })
  const importing = useAct(async () => {
    refusal.value = null
    if (file.value === null) return
    const answer = await importPeople(file.value, { dryRun: false, invite: isInviting.value })
    if (answer.kind !== "done") {
      refusal.value = wordsOf(answer)
      return
    }
    done.value = answer.data
    found.value = null
    file.value = null
  })

  return (
    <Office title={imports.title} isPart>
      <p class="mt-2 max-w-prose text-muted">{imports.lead}</p>
      <pre class="mt-3 w-fit max-w-full rounded-field bg-base-300/50 px-3 py-2 text-sm whitespace-pre-wrap">
        {example}
      </pre>
      <div class="mt-5 grid gap-5">
        <FilePicker
          file={file.value}
          onPick={(picked) => {
            file.value = picked
            void looking.run()
          }}
        />
        {refusal.value !== null && <Notice kind="wrong">{refusal.value}</Notice>}
        {found.value !== null && found.value.errors.length > 0 && <WrongRows of={found.value} />}
        {found.value !== null && found.value.errors.length === 0 && (
          <Plan of={found.value} isInviting={isInviting} busy={importing.busy.value} onImport={importing.run} />
        )}
        {done.value !== null && <Done of={done.value} isInvited={isInviting.value} />}
      </div>
    </Office>
  )
}

const example = `name,email,dept
Ana Souza,ana@example.com,sales
Bruno Lima,bruno@example.com,support`

interface PlanProps {
  readonly of: ImportTold
  readonly isInviting: { value: boolean }
  readonly busy: boolean
  readonly onImport: () => void
}

/** What will happen, before it does. */
function Plan({ of, isInviting, busy, onImport }: PlanProps) {
  const { imports } = t()
  if (of.created + of.updated === 0) return <Notice kind="told">{imports.nothingNew}</Notice>
  return (
    <div class="grid justify-items-start gap-4">
      <p role="status" class="text-xl font-semibold tracking-tight">
        {countsOf(of)}
      </p>
      {of.created > 0 && (
        <label class="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            class="checkbox checkbox-primary"
            checked={isInviting.value}
            onChange={(event) => {
              isInviting.value = event.currentTarget.checked
            }}
          />
          <span>
            <span class="block">{imports.invite}</span>
            <span class="block text-sm text-muted">{imports.inviteLead}</span>
          </span>
        </label>
      )}
      <Button busy={busy} onClick={onImport}>
        {imports.submit}
      </Button>
    </div>
  )
}

function Done({ of, isInvited }: { of: ImportTold; isInvited: boolean }) {
  const { imports } = t()
  return (
    <Notice kind="told">
      {fill(imports.done, { counts: countsOf(of) })}
      {isInvited && of.created > 0 && ` ${imports.invited}`}{" "}
      <a href={addresses.people} class="link">
        {imports.toPeople}
      </a>
    </Notice>
  )
}

/** `3 new, 2 changed, 5 as they were`, without what there is none of. */
function countsOf({ created, updated, unchanged }: ImportTold): string {
  const { imports } = t()
  return [
    created > 0 && formatPlural(created, imports.new),
    updated > 0 && formatPlural(updated, imports.changed),
    unchanged > 0 && formatPlural(unchanged, imports.unchanged),
  ]
    .filter(Boolean)
    .join(", ")
}
