import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import type { FieldState } from "../../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../../parts/placeholders.tsx"
import type { Failure } from "../../../server/api.ts"
import { untilCleanup, useRetry } from "../../../server/retry.ts"
import { t } from "../../../texts/texts.ts"
import { AdminLayout } from "../admin-layout.tsx"
import { defaultProgramme } from "./defaults.ts"
import { OnOff, SettingField } from "./fields.tsx"
import { Part, type PartOf } from "./part.tsx"
import { giving, occasionKinds, occasions, type SettingName, settingOf, shown, tags, worth } from "./parts.ts"
import { load, stored } from "./stored.ts"
import { TagsField } from "./tags.tsx"

/** Everything that those who run the programme decide, in parts that are saved by themselves. */
export function ProgrammeScreen() {
  const { programme } = t()
  const { parts } = programme
  const failure = useSignal<Failure | null>(null)
  const begin = async () => {
    const answer = await load()
    failure.value = answer.kind === "done" ? null : answer
  }
  useLayoutEffect(() => untilCleanup(begin), [])
  useRetry(failure.value, begin)
  const now = stored.value
  useLayoutEffect(() => {
    if (now !== null && location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [now === null])
  return (
    <AdminLayout title={programme.title} isPart>
      <p class="mt-1 max-w-prose text-muted">{programme.lead}</p>
      {now === null && failure.value !== null && <LoadFailure failure={failure.value} onRetry={begin} />}
      {now === null && failure.value === null && <Skeleton class="mt-10 h-96 w-full rounded-box" />}
      {now !== null && (
        <>
          <Part of={giving} {...parts.giving} now={now}>
            {(fields) => giving.names.map((name) => <Field key={name} name={name} of={fields[name]} part={giving} />)}
          </Part>
          <Part of={tags} {...parts.tags} now={now}>
            {(fields, wrong) => (
              <>
                <Field name="tag" of={fields.tag} part={tags} />
                <TagsField of={fields.tags} wrong={wrong} />
              </>
            )}
          </Part>
          <Part of={shown} {...parts.shown} now={now}>
            {(fields) => shown.names.map((name) => <Field key={name} name={name} of={fields[name]} part={shown} />)}
          </Part>
          <Part of={occasions} {...parts.occasions} now={now}>
            {(fields) => occasionKinds.map((kind) => <Occasion key={kind} kind={kind} fields={fields} />)}
          </Part>
          <Part of={worth} {...parts.worth} id="worth" now={now}>
            {(fields) => worth.names.map((name) => <Field key={name} name={name} of={fields[name]} part={worth} />)}
          </Part>
        </>
      )}
    </AdminLayout>
  )
}

interface FieldProps<Name extends SettingName> {
  readonly name: Name
  readonly of: FieldState
  readonly part: PartOf<Name>
}

function Field<Name extends SettingName>({ name, of, part }: FieldProps<Name>) {
  return <SettingField of={of} setting={settingOf(name)} usual={part.read(defaultProgramme)[name]} />
}

/** The server's limit, in characters. */
const maxText = 500

interface OccasionProps {
  readonly kind: (typeof occasionKinds)[number]
  readonly fields: Readonly<Record<(typeof occasions.names)[number], FieldState>>
}

function Occasion({ kind, fields }: OccasionProps) {
  const { occasions: texts } = t().programme
  const usual = occasions.read(defaultProgramme)
  const [points, text] = [`occasions.${kind}.points`, `occasions.${kind}.text`] as const
  return (
    <div class="grid gap-4 not-first:border-t not-first:border-line not-first:pt-6">
      <h3 class="font-medium">{texts[kind].title}</h3>
      <OnOff of={fields[`occasions.${kind}.active`]} label={texts[kind].active} />
      <SettingField
        of={fields[points]}
        setting={{ label: texts.points, hint: texts.pointsHint }}
        usual={usual[points]}
      />
      <SettingField
        of={fields[text]}
        setting={{ label: texts.text, hint: kind === "anniversary" ? texts.textHintYears : texts.textHint }}
        usual={usual[text]}
        max={maxText}
      />
    </div>
  )
}
