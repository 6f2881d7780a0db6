import { fill } from "../../../languages/writing.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

interface NumberTableProps {
  readonly label: string
  readonly caption?: string
  /** Column headers; the first belongs to the column of row headers. */
  readonly heads: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly head: string
    /** Where the head leads. */
    readonly address?: string
    readonly cells: readonly number[]
  }[]
  /** Whether cells are the darker, the larger their numbers are. */
  readonly isShaded?: boolean
}

/** Numbers under heads; what is in the first column may lead somewhere. */
export function NumberTable({ label, caption, heads, rows, isShaded = false }: NumberTableProps) {
  const most = Math.max(1, ...rows.flatMap(({ cells }) => cells))
  if (rows.length === 0) return <p class="text-muted">{t().insights.none}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
    <section class="overflow-x-auto" tabIndex={0} aria-label={fill(t().insights.table, { name: label })}>
      <table class="w-full text-sm tabular-nums">
        {caption && <caption class="pb-1 text-start text-xs text-muted">{caption}</caption>}
        <thead>
          <tr class="text-xs text-muted">
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                dir="auto"
                class={`px-2 py-1 font-medium ${isShaded ? "whitespace-nowrap" : ""} ${index ? "text-end" : "text-start"}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, address, cells }) => (
            <tr key={key} class="border-t border-line text-end">
              <th
                scope="row"
                dir="auto"
                class={`px-2 py-1.5 text-start font-normal ${isShaded ? "whitespace-nowrap" : ""}`}
              >
                {address === undefined ? (
                  head
                ) : (
                  <a href={address} class="hover:underline">
                    {head}
                  </a>
                )}
              </th>
              {cells.map((cell, index) => (
                <td
                  key={heads[index + 1] ?? index}
                  class={`px-2 ${cell === 0 ? "text-muted" : ""}`}
                  style={isShaded && cell > 0 ? shadeOf(cell / most) : undefined}
                >
                  {formatNumber(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** At most so dark that the number stays readable in both schemes. */
const shadeOf = (share: number) => ({
  background: `color-mix(in oklab, var(--color-primary) ${Math.round(6 + 26 * share)}%, transparent)`,
})
