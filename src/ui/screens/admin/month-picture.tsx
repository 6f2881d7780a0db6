import type { ComponentChildren } from "preact"
import { formatCompact, formatNumber } from "../../texts/format.ts"

/** The size of the drawing in its own units; it is stretched over the place that there is. */
const width = 1000
const height = 100

export interface MonthSeries {
  readonly name: string
  readonly colour: "main" | "other"
  /** One for each month. */
  readonly values: readonly number[]
}

interface MonthPictureProps {
  /** What the picture says, for those who cannot see it; the numbers are in a table below. */
  readonly label: string
  /** The names of the months, oldest first. */
  readonly months: readonly string[]
  readonly series: readonly MonthSeries[]
}

const strokes = { main: "stroke-primary", other: "stroke-base-content/60" }
const fills = { main: "fill-primary", other: "fill-base-content/25" }

/** A line for each series. Both are told apart without colours: the second is dashed, and each is named with its last value. */
export function MonthLines({ label, months, series }: MonthPictureProps) {
  const most = ceiling(Math.max(0, ...series.flatMap(({ values }) => values)))
  const x = (index: number) => (months.length > 1 ? (index / (months.length - 1)) * width : width / 2)
  const y = (value: number) => height - (value / most) * height
  return (
    <Frame {...{ label, months, most }} names={series.map((one) => ({ ...one, isDashed: one.colour === "other" }))}>
      {series.map(({ name, colour, values }) => (
        <g key={name} class={`fill-none ${strokes[colour]}`}>
          <polyline
            points={values.map((value, index) => `${x(index)},${y(value)}`).join(" ")}
            stroke-width="2"
            stroke-dasharray={colour === "other" ? "5 4" : undefined}
            stroke-linejoin="round"
            vector-effect="non-scaling-stroke"
          />
          {values.map((value, index) => (
            // A line without length is a dot that keeps its shape when the drawing is stretched.
            <path
              key={months[index]}
              d={`M${x(index)} ${y(value)}h0`}
              stroke-width="6"
              stroke-linecap="round"
              vector-effect="non-scaling-stroke"
            />
          ))}
        </g>
      ))}
    </Frame>
  )
}

/** A bar for each month. The series stand in front of one another: each is part of the one before. */
export function MonthBars({ label, months, series }: MonthPictureProps) {
  const most = ceiling(Math.max(0, ...series.flatMap(({ values }) => values)))
  const step = width / Math.max(1, months.length)
  return (
    <Frame {...{ label, months, most }} names={series.map((one) => ({ ...one, isDashed: false }))}>
      {series.map(({ name, colour, values }) => (
        <g key={name} class={fills[colour]}>
          {values.map((value, index) => (
            <rect
              key={months[index]}
              x={(index + 0.15) * step}
              y={height - (value / most) * height}
              width={0.7 * step}
              height={(value / most) * height}
            />
          ))}
        </g>
      ))}
    </Frame>
  )
}

interface FrameProps extends Pick<MonthPictureProps, "label" | "months"> {
  readonly most: number
  readonly names: readonly (MonthSeries & { readonly isDashed: boolean })[]
  readonly children: ComponentChildren
}

/** The names of the series with their last values, the drawing with its scale, and the first and the last month. */
function Frame({ label, months, most, names, children }: FrameProps) {
  const scale = [most, most / 2, 0]
  return (
    <figure class="grid grid-cols-1 gap-3">
      <figcaption>
        <ul class="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          {names.map(({ name, colour, values, isDashed }) => (
            <li key={name} class="flex items-center gap-2">
              <svg viewBox="0 0 24 8" class={`h-2 w-6 shrink-0 ${strokes[colour]}`} aria-hidden="true">
                <path d="M1 4h22" stroke-width="3" stroke-dasharray={isDashed ? "5 4" : undefined} />
              </svg>
              {name}
              <span class="font-semibold tabular-nums">{formatNumber(values.at(-1) ?? 0)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="grid grid-cols-[auto_1fr] gap-x-2">
        <div class="flex h-40 flex-col justify-between text-end text-xs text-muted tabular-nums" aria-hidden="true">
          {scale.map((value) => (
            <span key={value} class="-my-2 leading-4">
              {formatCompact(value)}
            </span>
          ))}
        </div>
        <div class="relative h-40">
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            class="absolute inset-0 size-full overflow-visible rtl:-scale-x-100"
          >
            <path
              d={scale.map((_, index) => `M0 ${(index * height) / 2}H${width}`).join("")}
              class="stroke-line"
              stroke-width="1"
              vector-effect="non-scaling-stroke"
            />
            {children}
          </svg>
        </div>
        <p class="col-start-2 mt-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted" aria-hidden="true">
          <span>{months[0]}</span>
          {months.length > 1 && <span>{months.at(-1)}</span>}
        </p>
      </div>
    </figure>
  )
}

/** The next even number with one digit that counts, such as 8, 40 or 600: the scale ends there, and its half is whole. */
function ceiling(most: number): number {
  if (most <= 2) return 2
  const step = 2 * 10 ** Math.max(0, Math.floor(Math.log10(most / 2)))
  return Math.ceil(most / step) * step
}
