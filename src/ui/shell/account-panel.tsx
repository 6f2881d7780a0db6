import { Sparkles, UserRound } from "lucide"
import { languages } from "../../domain/languages.ts"
import { languageNames } from "../../languages/writing.ts"
import { addresses } from "../addresses.ts"
import { appearance, appearances, chooseAppearance } from "../appearance.ts"
import { Icon } from "../parts/icon.tsx"
import { Pockets } from "../parts/pockets.tsx"
import { type Me, speak } from "../session.ts"
import { language, t } from "../texts/texts.ts"
import { Names } from "./names.tsx"
import { leftOutOnPhone } from "./navigation.ts"

/** The panel of the current user above the log-out: points, appearance, language, profile. */
export function AccountPanel({ of: member }: { of: Me }) {
  return (
    <>
      <div class="grid gap-4 p-4">
        <p class="lg:hidden">
          <Names of={member} />
        </p>
        <Pockets />
        <Preferences />
      </div>
      <div class="grid gap-0.5 border-t border-line p-1.5 pb-0">
        {leftOutOnPhone().map(({ address, icon, name }) => (
          <a key={address} href={address} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal lg:hidden">
            <Icon of={icon} class="size-4.5" />
            {name()}
          </a>
        ))}
        <a href={addresses.recap} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal">
          <Icon of={Sparkles} class="size-4.5" />
          {t().shell.recap}
        </a>
        <a href={addresses.me} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal">
          <Icon of={UserRound} class="size-4.5" />
          {t().shell.me}
        </a>
      </div>
    </>
  )
}

/** Appearance and language. */
function Preferences() {
  const { shell } = t()
  const looks = (["", ...appearances] as const).map((value) => ({ value, name: shell[value || "asDevice"] }))
  return (
    <>
      <Choice
        name="appearance"
        legend={shell.appearance}
        options={looks}
        chosen={appearance.value ?? ""}
        onChoose={(value) => chooseAppearance(value || null)}
      />
      <Choice
        name="language"
        legend={shell.language}
        options={languages.map((value) => ({ value, name: languageNames[value] }))}
        chosen={language.value}
        onChoose={(value) => void speak(value)}
      />
    </>
  )
}

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly legend: string
  readonly options: readonly { readonly value: Value; readonly name: string }[]
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

function Choice<Value extends string>({ name, legend, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset>
      <legend class="mb-1.5 text-xs text-muted">{legend}</legend>
      <div class="flex flex-wrap gap-1 rounded-field bg-sunk p-1">
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
