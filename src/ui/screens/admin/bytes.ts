import { locale } from "../../texts/texts.ts"

const units = ["kilobyte", "megabyte", "gigabyte", "terabyte"]

/** `1.2 GB` in the language of the page. */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), units.length)
  const unit = units[step - 1] ?? "megabyte"
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(locale.value, { style: "unit", unit, maximumFractionDigits: 1 }).format(value)
}
