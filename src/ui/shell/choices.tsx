import { appearance, appearances, chooseAppearance } from "../appearance.ts"
import { languageNames } from "../texts/catalogues.ts"
import { chooseLanguage, language, t } from "../texts/texts.ts"

/** How the page looks, and what it speaks. */
export function Choices() {
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
