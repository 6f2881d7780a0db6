import { ruleOf } from "../../parts/use-form.ts"
import { formatNumber, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { ImportTold } from "./import-people.ts"

/** A file may be wrong in every row; nobody reads more at once. */
const mostShown = 100

/** Which rows of the file are wrong, and why. */
export function WrongRows({ of: { errors } }: { of: Pick<ImportTold, "errors"> }) {
  const { imports } = t()
  return (
    <div class="grid gap-3">
      <p role="alert">
        <b class="font-medium text-error">{formatPlural(errors.length, imports.faults)}</b> {imports.nothingDone}
      </p>
      <table class="w-full text-start">
        <thead class="text-sm text-muted">
          <tr class="border-b border-line">
            <th scope="col" class="py-2 pe-4 text-start font-medium whitespace-nowrap">
              {imports.row}
            </th>
            <th scope="col" class="py-2 pe-4 text-start font-medium whitespace-nowrap">
              {imports.column}
            </th>
            <th scope="col" class="py-2 text-start font-medium">
              {imports.fault}
            </th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, mostShown).map(({ row, column, detail }) => (
            <tr key={`${row} ${column} ${detail}`} class="border-b border-line align-top">
              <td class="py-2.5 pe-4 tabular-nums">{formatNumber(row)}</td>
              <td class="py-2.5 pe-4 whitespace-nowrap">{column ?? ""}</td>
              <td class="py-2.5">{column === null ? detail : withoutColumn(column, detail)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {errors.length > mostShown && (
        <p class="text-sm text-muted">{formatPlural(errors.length - mostShown, imports.more)}</p>
      )}
    </div>
  )
}

function withoutColumn(column: string, detail: string): string {
  const start = `${column}: `
  return ruleOf(column, detail.startsWith(start) ? detail.slice(start.length) : detail)
}
