import { useSignal } from "@preact/signals"
import { LogOut, UserRound } from "lucide"
import { addresses } from "../addresses.ts"
import { appearance, appearances, chooseAppearance } from "../appearance.ts"
import { Avatar } from "../parts/avatar.tsx"
import { useAction } from "../parts/button.tsx"
import { Disclosure } from "../parts/disclosure.tsx"
import { Icon } from "../parts/icon.tsx"
import { Notice } from "../parts/notice.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { messageOf } from "../server/failure-messages.ts"
import { logOut, type Me, me } from "../session.ts"
import { languageNames } from "../texts/catalogues.ts"
import { chooseLanguage, language, t } from "../texts/texts.ts"

/** The menu of the current user: appearance, language, profile, log-out. */
export function AccountMenu() {
  const member = me.value
  if (member === null) return <Skeleton class="size-10 rounded-full lg:mt-auto lg:h-12 lg:w-full lg:rounded-field" />
  return (
    <div class="lg:mt-auto">
      <Disclosure label={t().shell.account} button={<Face of={member} />}>
        <div class="grid gap-4 p-4">
          <p class="lg:hidden">
            <Names of={member} />
          </p>
          <Preferences />
        </div>
        <div class="grid gap-0.5 border-t border-line p-1.5">
          <a href={addresses.me} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal">
            <Icon of={UserRound} class="size-4.5" />
            {t().shell.me}
          </a>
          <LogOutButton />
        </div>
      </Disclosure>
    </div>
  )
}

function Face({ of }: { of: Me }) {
  return (
    <span class="flex min-w-0 items-center gap-3 text-start">
      <Avatar {...of} src={of.avatar} size="small" />
      <span class="min-w-0 max-lg:hidden">
        <Names of={of} />
      </span>
    </span>
  )
}

function Names({ of: { name, username } }: { of: Me }) {
  return (
    <>
      <span dir="auto" class="block truncate text-sm font-medium">
        {name}
      </span>
      <span class="block truncate text-xs text-muted">{username}</span>
    </>
  )
}

function LogOutButton() {
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAction(async () => {
    const failure = await logOut()
    refusal.value = failure && messageOf(failure)
  })
  return (
    <>
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      <button type="button" class="btn btn-ghost justify-start gap-3 px-2.5 font-normal" aria-busy={busy} onClick={run}>
        <Icon of={LogOut} class="size-4.5" />
        {t().shell.logOut}
      </button>
    </>
  )
}

/** Appearance and language. */
function Preferences() {
  const { shell } = t()
  const looks = [{ value: "", name: shell.asDevice }, ...appearances.map((value) => ({ value, name: shell[value] }))]
  const languages = Object.entries(languageNames).map(([value, name]) => ({ value, name }))
  return (
    <>
      <Choice
        name="appearance"
        legend={shell.appearance}
        options={looks}
        chosen={appearance.value ?? ""}
        onChoose={(value) => chooseAppearance(appearances.find((one) => one === value) ?? null)}
      />
      <Choice
        name="language"
        legend={shell.language}
        options={languages}
        chosen={language.value}
        onChoose={(value) => void chooseLanguage(value)}
      />
    </>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly legend: string
  readonly options: readonly { readonly value: string; readonly name: string }[]
  readonly chosen: string
  readonly onChoose: (value: string) => void
}

function Choice({ name, legend, options, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset>
      <legend class="mb-1.5 text-xs text-muted">{legend}</legend>
      <div class="flex gap-1 rounded-field bg-sunk p-1">
        {options.map((option) => (
          <label
            key={option.value}
            class="grid min-h-8 grow cursor-pointer place-content-center rounded-selector px-2 text-center text-sm has-checked:bg-raised has-checked:font-medium has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-primary pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              class="sr-only"
              name={name}
              value={option.value}
              checked={option.value === chosen}
              onChange={() => onChoose(option.value)}
            />
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
