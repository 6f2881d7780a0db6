import { invalid } from "../errors.ts"
import { wordOf } from "../text.ts"
import { dateOrders } from "./import-dates.ts"
import type { ReadOptions } from "./import-rows.ts"
import { type Meaning, meanings, presets } from "./import-vocabulary.ts"

/** What a request says about a file, as text. */
interface Asked {
  readonly ignoreUnknown: boolean
  readonly preset?: string | undefined
  readonly dates?: string | undefined
  /** JSON: an object with what headers mean. */
  readonly columns?: string | undefined
}

/** @throws DomainError `invalid` */
export const readOptionsOf = ({ ignoreUnknown, preset, dates, columns }: Asked): ReadOptions => ({
  ignoreUnknown,
  preset: preset === undefined ? undefined : wordOf("preset", presets, preset),
  dates: dates === undefined ? undefined : wordOf("dates", dateOrders, dates),
  columns: columns === undefined ? undefined : meaningsIn(columns),
})

function meaningsIn(json: string): ReadonlyMap<string, Meaning | null> {
  const found = parsed(json)
  if (typeof found !== "object" || found === null || Array.isArray(found)) throw invalid("columns", rule)
  return new Map(
    Object.entries(found).map(([header, means]) => {
      if (means === null) return [header.trim(), null]
      const one = meanings.find((word) => word === means)
      if (one === undefined) throw invalid("columns", rule)
      return [header.trim(), one]
    }),
  )
}

const rule = `a JSON object of headers, each with null or one of ${meanings.join(", ")}`

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid("columns", rule)
  }
}
