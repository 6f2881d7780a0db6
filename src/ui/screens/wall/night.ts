/** From eight in the evening to seven in the morning. `?night=22-6` says otherwise, `?night=off` never. */
const usual = { from: 20, to: 7 }

/** Whether it is night where the wall hangs. */
export function isNight(date: Date, wanted: string | undefined): boolean {
  if (wanted === "off") return false
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(wanted ?? "")
  const { from, to } = match ? { from: Number(match[1]), to: Number(match[2]) } : usual
  const hour = date.getHours()
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}
