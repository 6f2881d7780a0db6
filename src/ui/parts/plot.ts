import uPlot from "uplot"

interface Series {
  readonly look: "line" | "bars"
  readonly colour: keyof Pick<Colours, "main" | "other">
  /** One value for each position on the x axis. */
  readonly values: readonly number[]
}

export interface PlotOptions {
  readonly series: readonly Series[]
  /** The label of a position on the x axis. */
  readonly placeLabel: (index: number) => string
  readonly valueLabel: (value: number) => string
  /** Called with the position of the pointer; null when the pointer is outside. */
  readonly onPoint: (index: number | null) => void
}

export type Plot = ReturnType<typeof drawPlot>

/** Draws into `place` and follows its size until `end()`. The first position on the x axis is 0. */
export function drawPlot(place: HTMLElement, { series, onPoint, ...labels }: PlotOptions) {
  const count = series[0]?.values.length ?? 0
  const colours = coloursIn(place)
  const rem = remOf()
  const isBars = series.some(({ look }) => look === "bars")
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      legend: { show: false },
      // The last label is centred below the last position.
      padding: [8, 1.5 * rem, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { time: false, range: isBars ? [-0.5, count - 0.5] : [0, Math.max(1, count - 1)] },
        y: { range: (_, low, high) => withZero(low, high) },
      },
      axes: axesIn(place, colours, labels),
      series: [{}, ...series.map((one) => looksOf(one, colours))],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [Array.from({ length: count }, (_, index) => index), ...series.map(({ values }) => [...values])],
    place,
  )
  const resizing = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: place.clientHeight }))
  resizing.observe(place)

  return {
    point(index: number) {
      plot.setCursor({ left: plot.valToPos(index, "x"), top: 0 })
    },
    end() {
      resizing.disconnect()
      plot.destroy()
    },
  }
}

function looksOf({ look, colour }: Series, colours: Colours): uPlot.Series {
  if (look === "line") return { stroke: colours[colour], fill: colours.wash, width: 2, points: { show: false } }
  const bars = uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.2 })
  return {
    stroke: colours[colour],
    fill: colours[colour],
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  }
}

function axesIn(place: HTMLElement, colours: Colours, labels: Pick<PlotOptions, "placeLabel" | "valueLabel">) {
  const rem = remOf()
  const font = `${0.75 * rem}px ${getComputedStyle(place).fontFamily}`
  const common = { stroke: colours.text, font, ticks: { show: false }, incrs: wholeSteps }
  const x: uPlot.Axis = {
    ...common,
    grid: { show: false },
    size: 2 * rem,
    gap: 0.6 * rem,
    space: 4.5 * rem,
    values: (_, splits) => splits.map((index) => (Number.isInteger(index) ? labels.placeLabel(index) : "")),
  }
  const y: uPlot.Axis = {
    ...common,
    grid: { stroke: colours.line, width: 1 },
    size: (_, shown) => Math.max(2, ...(shown ?? []).map((text) => text.length)) * 0.45 * rem + 0.75 * rem,
    space: 2 * rem,
    gap: 0.5 * rem,
    values: (_, splits) => splits.map(labels.valueLabel),
  }
  return [x, y]
}

const remOf = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Points and days are integers. */
const wholeSteps = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

/** Bars and areas must start at zero, or their sizes mislead. */
function withZero(low: number | null, high: number | null): [number, number] {
  const [least, most] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)]
  if (least === most) return [0, 4]
  const room = (most - least) * 0.06
  return [least < 0 ? least - room : 0, most > 0 ? most + room : 0]
}

/** The chart colours of the current theme, resolved by the browser because a canvas knows no CSS variables. */
function coloursIn(place: HTMLElement) {
  const probe = document.createElement("i")
  place.append(probe)
  const resolved = (colour: string) => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
  const colours = {
    main: resolved("var(--color-primary)"),
    wash: resolved("color-mix(in oklab, var(--color-primary) 12%, transparent)"),
    other: resolved("color-mix(in oklab, var(--color-base-content) 38%, var(--color-base-100))"),
    text: resolved("var(--color-muted)"),
    line: resolved("var(--color-line)"),
  }
  probe.remove()
  return colours
}

type Colours = ReturnType<typeof coloursIn>
