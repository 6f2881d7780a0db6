/** What a point is worth in money. */
export interface PointValue {
  /** With at most six decimals. */
  readonly amount: number
  /** An ISO 4217 code: EUR. */
  readonly currency: string
}

/** What a point was worth before a change. */
export interface EarlierPointValue {
  /** When it changed. */
  readonly until: number
  readonly value: PointValue | null
}

/** Of the stored programme. */
interface PointValues {
  readonly point_value?: PointValue | null
  readonly earlier_point_values?: readonly EarlierPointValue[]
}

/** What a point was worth at a moment. The first value that points ever had also counts for the time before it. */
export function pointValueAt(stored: PointValues | null, moment: number): PointValue | null {
  const earlier = stored?.earlier_point_values?.find(({ until }) => moment < until)
  return earlier ? earlier.value : (stored?.point_value ?? null)
}

/** What to store of a change at `now`: what a point was worth before is kept, because figures of past days must not change. */
export function earlierPointValues(
  stored: PointValues | null,
  after: PointValue | null,
  now: number,
): readonly EarlierPointValue[] {
  const { point_value: value = null, earlier_point_values: earlier = [] } = stored ?? {}
  const isSame = value?.amount === after?.amount && value?.currency === after?.currency
  return isSame || (value === null && earlier.length === 0) ? earlier : [...earlier, { until: now, value }]
}

/** In the smallest parts of an amount: six decimals. */
const partsOfOne = 1_000_000

/** Says what points are worth, rounded half up to the smallest coin of the currency. Exact also for many points. */
export function worthOf({ amount, currency }: PointValue): (points: number) => number {
  const coins = 10 ** decimalsOf(currency)
  const partsOfPoint = BigInt(Math.round(amount * partsOfOne)) * BigInt(coins)
  const half = BigInt(partsOfOne / 2)
  return (points) => Number((BigInt(points) * partsOfPoint + half) / BigInt(partsOfOne)) / coins
}

/** How many decimals amounts in this currency have: 2 for EUR, 0 for JPY. */
const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
