/** Bounds of a value in points. Balances stay within ±maxValue: every JSON reader keeps these integers exact. */
export const minValue = 1
export const maxValue = Number.MAX_SAFE_INTEGER
