/** What the server says, in the words of one language. */
export interface Details {
  /** By the code of the error. */
  readonly refusals: Readonly<Record<string, string>>
  /**
   * The rules of values that are `invalid`: what the detail says behind the name of the field. Each `#` stands for a number of
   * the rule, in the same order, and `{name}` for any other part that varies.
   */
  readonly rules: Readonly<Record<string, string>>
}

/** An error, as the server says it. */
export interface Refused {
  /** Null when it came from elsewhere, such as a proxy. */
  readonly code: string | null
  readonly detail: string
}

/** An error in the words of `details`; undefined if they do not have it. */
export function translatedRefusal({ code, detail }: Refused, details: Details | undefined): string | undefined {
  if (details === undefined) return undefined
  const sentence = code === null ? undefined : details.refusals[code]
  return sentence === undefined ? translatedRule(detail, details) : sentence + namesIn(detail)
}

/** The names behind the sentence, if there are any: `User not found: ana, ben`. A field in front of one has no space. */
const namesIn = (detail: string): string => /^[^:]* [^:]*(: .+)$/s.exec(detail)?.[1] ?? ""

/** A rule that applies to any field is listed without the name of the field. */
function translatedRule(detail: string, { rules }: Details): string | undefined {
  const rule = withoutField(detail)
  const form = [rule, rule.replace(/\d+/g, "#")].find((text) => text in rules)
  if (form === undefined) return translatedWithNames(rule, rules)
  const numbers = (rule.match(/\d+/g) ?? []).values()
  return rules[form]?.replaceAll("#", () => numbers.next().value ?? "#")
}

/** A detail without the name of the field that it is about. */
export const withoutField = (detail: string): string => detail.replace(/^[\w.-]+: /, "")

function translatedWithNames(rule: string, rules: Details["rules"]): string | undefined {
  for (const [form, translation] of Object.entries(rules)) {
    if (!form.includes("{")) continue
    const escaped = form.replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    const names = new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "s").exec(rule)?.groups
    if (names !== undefined) return translation.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? "")
  }
  return undefined
}
