import { useId } from "preact/hooks"
import { fill } from "../../../../languages/writing.ts"
import { FieldError, type FieldState, FormField, TextArea } from "../../../parts/form.tsx"
import { t } from "../../../texts/texts.ts"

/** What the screen says about a field. */
export interface Setting {
  readonly label: string
  readonly hint: string
  /** The names of its words, where it has only a few. */
  readonly options?: Readonly<Record<string, string>>
}

/** The value of a field in words. */
export const inWords = ({ options }: Setting, text: string): string =>
  text.trim() === "" ? t().programme.nothing : (options?.[text] ?? text)

interface SettingFieldProps {
  readonly of: FieldState
  readonly setting: Setting
  /** What it is in a new programme. */
  readonly usual: string
  /** Shown as a text of several lines, with this maximum length. */
  readonly max?: number
}

/** A field with what it does and its default: a choice, or a text. */
export function SettingField({ of, setting, usual, max }: SettingFieldProps) {
  const hint = `${setting.hint} ${fill(t().programme.usual, { value: inWords(setting, usual) })}`
  const id = useId()
  if (setting.options !== undefined) return <Choices of={of} setting={setting} hint={hint} />
  if (max === undefined) return <FormField label={setting.label} of={of} hint={hint} autoComplete="off" />
  return (
    <div class="grid gap-1.5">
      <TextArea label={setting.label} value={of.value} max={max} error={of.error.value} input={of.input} rows={2} />
      <p id={id} class="text-sm text-muted">
        {hint}
      </p>
    </div>
  )
}

interface ChoicesProps {
  readonly of: FieldState
  readonly setting: Setting
  readonly hint: string
}

function Choices({ of: { value, error, input }, setting: { label, options = {} }, hint }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-error`}>
      <legend class="text-sm font-medium">{label}</legend>
      <div class="mt-1 flex flex-wrap gap-x-6">
        {Object.entries(options).map(([option, name], index) => (
          <label key={option} class="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
            <input
              {...(index === 0 && { ref: input })}
              type="radio"
              name={id}
              class="size-4 shrink-0 accent-primary"
              checked={value.value === option}
              onChange={() => {
                value.value = option
              }}
            />
            {name}
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} class="mt-1 text-sm text-muted">
        {hint}
      </p>
      <FieldError id={`${id}-error`} text={error.value} />
    </fieldset>
  )
}

/** A field that is on or off: its text is `true` or `false`. */
export function OnOff({ of: { value }, label }: { of: FieldState; label: string }) {
  return (
    <label class="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        class="size-4 shrink-0 accent-primary"
        checked={value.value === "true"}
        onChange={({ currentTarget: { checked } }) => {
          value.value = String(checked)
        }}
      />
      {label}
    </label>
  )
}
