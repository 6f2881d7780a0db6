import { ArrowUp, Plus, X } from "lucide"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../../../languages/writing.ts"
import { Button } from "../../../parts/button.tsx"
import { FieldError, type FieldState } from "../../../parts/form.tsx"
import { Icon } from "../../../parts/icon.tsx"
import type { Programme } from "../../../session.ts"
import { t } from "../../../texts/texts.ts"

const columns = ["emoji", "name", "description"] as const

/** A tag as it is typed. */
type Row = Record<(typeof columns)[number], string>

/** The tags as the text of a field. */
export const textOfTags = (tags: Programme["tags"]): string =>
  JSON.stringify(
    tags.map(({ emoji, name, description }): Row => ({ emoji: emoji ?? "", name, description: description ?? "" })),
  )

const rowsIn = (text: string) => JSON.parse(text) as readonly Row[]

export const tagsIn = (text: string) =>
  rowsIn(text).map(({ emoji, name, description }) => ({
    name: name.trim(),
    emoji: emoji.trim() || null,
    description: description.trim() || null,
  }))

/** `💚 care, craft` */
export const tagsInWords = (text: string): string =>
  rowsIn(text)
    .map(({ emoji, name }) => `${emoji} ${name}`.trim())
    .join(", ")

interface TagsFieldProps {
  readonly of: FieldState
  /** What the server found wrong, such as `tags.2.name`. */
  readonly wrong: string | null
}

/** The list of tags: each can be changed, moved up and removed. */
export function TagsField({ of: { value, error, input }, wrong }: TagsFieldProps) {
  const { programme } = t()
  const { tags, settings } = programme
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const rows = rowsIn(value.value)
  const set = (changed: readonly Row[]) => {
    value.value = JSON.stringify(changed)
  }
  const [, wrongRow, wrongColumn] = /^tags\.(\d+)\.(\w+)$/.exec(wrong ?? "") ?? []
  const isWrong = (index: number) => error.value !== null && String(index) === wrongRow
  useLayoutEffect(() => {
    list.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [wrong])
  const focusOn = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>("input[data-name]")[index]?.focus())
  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend class="text-sm font-medium">{settings.tags.label}</legend>
      <p id={`${id}-hint`} class="mt-1 text-sm text-muted">
        {rows.length === 0 ? tags.none : settings.tags.hint}
      </p>
      <ul ref={list} class="my-3 grid gap-3">
        {rows.map((row, index) => (
          <li key={index} class="grid grid-cols-1 gap-1.5">
            {/* biome-ignore lint/a11y/useSemanticElements: within a fieldset, the name of the tag is enough */}
            <div role="group" aria-label={row.name} class="flex flex-wrap items-center gap-1.5">
              {columns.map((column) => (
                <input
                  key={column}
                  {...(index === 0 && column === "name" && { ref: input })}
                  {...(column === "name" && { "data-name": "" })}
                  dir="auto"
                  class={`input ${isWrong(index) && column === wrongColumn ? "input-error" : "border-base-content/45"} ${widths[column]}`}
                  aria-label={tags[column]}
                  aria-invalid={isWrong(index) && column === wrongColumn}
                  aria-describedby={isWrong(index) ? `${id}-${index}` : undefined}
                  placeholder={tags[column]}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellcheck={column === "description"}
                  value={row[column]}
                  onInput={({ currentTarget }) => set(rows.with(index, { ...row, [column]: currentTarget.value }))}
                />
              ))}
              <span class="flex">
                <button
                  type="button"
                  class="btn btn-ghost btn-sm btn-square text-muted pointer-coarse:size-11"
                  aria-label={fill(tags.up, { name: row.name })}
                  title={fill(tags.up, { name: row.name })}
                  disabled={index === 0}
                  onClick={() => {
                    const above = rows[index - 1]
                    if (above === undefined) return
                    set(rows.with(index - 1, row).with(index, above))
                    focusOn(index - 1)
                  }}
                >
                  <Icon of={ArrowUp} class="size-4" />
                </button>
                <button
                  type="button"
                  class="btn btn-ghost btn-sm btn-square text-muted pointer-coarse:size-11"
                  aria-label={fill(tags.remove, { name: row.name })}
                  title={fill(tags.remove, { name: row.name })}
                  onClick={() => {
                    set(rows.filter((_, other) => other !== index))
                    focusOn(Math.max(0, index - 1))
                  }}
                >
                  <Icon of={X} class="size-4" />
                </button>
              </span>
            </div>
            <FieldError id={`${id}-${index}`} text={isWrong(index) ? error.value : null} />
          </li>
        ))}
      </ul>
      <FieldError id={`${id}-error`} text={wrongRow === undefined ? error.value : null} />
      <p>
        <Button
          look="plain"
          onClick={() => {
            set([...rows, { emoji: "", name: "", description: "" }])
            focusOn(rows.length)
          }}
        >
          <Icon of={Plus} class="size-4.5" />
          {tags.add}
        </Button>
      </p>
    </fieldset>
  )
}

const widths = { emoji: "w-20", name: "min-w-32 flex-1", description: "min-w-40 flex-2 basis-48" } as const
