import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { Avatar } from "../../parts/avatar.tsx"
import { Combobox } from "../../parts/combobox.tsx"
import { FieldError, type FieldState } from "../../parts/form.tsx"
import { useNameOf, usePeopleSearch } from "../../people.ts"
import { type Duty, isSuperuser } from "../../rights.ts"
import { me } from "../../session.ts"
import { t } from "../../texts/texts.ts"

/** Whom somebody reports to: a username, found by any part of a name, or nothing. */
export function ManagerField({ of }: { of: FieldState }) {
  const { roles } = t()
  const id = useId()
  const typed = of.value.value.trim()
  /** The username that was picked, or that is stored: nothing is searched for it. */
  const settled = useSignal<string | null>(null)
  const isSettled = typed === "" || typed === (settled.value ?? typed)
  const options = usePeopleSearch(isSettled ? "" : typed)
  const name = useNameOf(isSettled && typed !== "" ? typed : null)
  const error = of.error.value
  return (
    <div
      class="grid gap-1.5"
      onFocusIn={() => {
        settled.value ??= typed
      }}
    >
      <Combobox
        label={roles.manager}
        isLabelled
        placeholder={roles.nobody}
        text={of.value}
        options={isSettled ? null : (options?.filter(mayBecomeManager) ?? null)}
        keyOf={({ username }) => username}
        draw={(face) => (
          <>
            <Avatar {...face} src={face.avatar} size="small" />
            <span class="min-w-0 grow">
              <span dir="auto" class="block wrap-anywhere">
                {face.name}
              </span>
              <span class="block text-sm wrap-anywhere text-muted">
                {face.username} · <span dir="auto">{face.dept}</span>
              </span>
            </span>
          </>
        )}
        onPick={({ username }) => {
          settled.value = username
          of.value.value = username
        }}
        input={of.input}
        describedBy={error === null ? undefined : `${id}-error`}
      />
      <FieldError id={`${id}-error`} text={error} />
      <p role="status" dir="auto" class="text-sm text-muted empty:hidden">
        {name !== typed && name}
      </p>
    </div>
  )
}

/** Nobody gets a team by the duty `people`. The server refuses their reports, too. */
const mayBecomeManager = ({ username }: { readonly username: string }): boolean =>
  isSuperuser() || username !== me.value?.username

const duties: readonly Duty[] = ["insights", "rewards", "people", "programme"]

/** The duties in the text of a field, in the order of the server. */
export const dutiesIn = (text: string): Duty[] => duties.filter((duty) => text.split(",").includes(duty))

/** What somebody runs without being a superuser. The field holds the duties with commas between them. */
export function DutiesField({ of }: { of: FieldState }) {
  const { roles } = t()
  const id = useId()
  const chosen = dutiesIn(of.value.value)
  const error = of.error.value
  return (
    <fieldset aria-describedby={error === null ? undefined : `${id}-error`}>
      <legend class="text-sm font-medium">{roles.duties}</legend>
      <p class="text-sm text-muted">{roles.dutiesText}</p>
      <div class="mt-1 grid">
        {duties.map((duty, index) => (
          <label key={duty} class="flex min-h-11 cursor-pointer items-start gap-3 py-2">
            <input
              type="checkbox"
              {...(index === 0 && { ref: of.input })}
              class="checkbox checkbox-sm mt-0.5 shrink-0 border-base-content/45"
              checked={chosen.includes(duty)}
              aria-describedby={`${id}-${duty}`}
              onChange={({ currentTarget }) => {
                const others = chosen.filter((one) => one !== duty)
                of.value.value = dutiesIn([...others, ...(currentTarget.checked ? [duty] : [])].join()).join()
              }}
            />
            <span>
              <span class="block">{roles.names[duty]}</span>
              <span id={`${id}-${duty}`} class="block text-sm text-muted">
                {roles.texts[duty]}
              </span>
            </span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  )
}
