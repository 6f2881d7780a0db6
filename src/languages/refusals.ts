/** What the server says, in the words of one language. */
export interface Details {
  /** By the code of the error. */
  readonly refusals: Readonly<Record<string, string>>
  /**
   * The rules of values that are `invalid`: what the detail says behind the field. Each `#` stands for a number of
   * the rule, in the same order, and `{name}` for any other part that varies.
   */
  readonly rules: Readonly<Record<string, string>>
}

/** An error, as the server says it. */
export interface Refused {
  /** Null when it came from elsewhere, such as a proxy. */
  readonly code: string | null
  readonly detail: string
  /** The field of the request that is wrong, if it is one. */
  readonly field?: string | undefined
}

/** An error in the words of `details`; undefined if they do not have it. */
export function translatedRefusal(refused: Refused, details: Details | undefined): string | undefined {
  if (details === undefined) return undefined
  const said = withoutField(refused)
  const sentence = refused.code === null ? undefined : details.refusals[refused.code]
  return sentence === undefined ? translatedRule(said, details) : sentence + namesBehind(said)
}

/** What the server says, without the field that it is about. */
export const withoutField = ({ detail, field }: Refused): string =>
  field !== undefined && detail.startsWith(`${field}: `) ? detail.slice(field.length + 2) : detail

/** The names behind a sentence, if there are any: `User not found: ana, ben`. */
function namesBehind(said: string): string {
  const end = said.indexOf(": ")
  return end === -1 ? "" : said.slice(end)
}

function translatedRule(rule: string, { rules }: Details): string | undefined {
  const form = [rule, rule.replace(/\d+/g, "#")].find((text) => text in rules)
  if (form === undefined) return translatedWithNames(rule, rules)
  const numbers = (rule.match(/\d+/g) ?? []).values()
  return rules[form]?.replaceAll("#", () => numbers.next().value ?? "#")
}

function translatedWithNames(rule: string, rules: Details["rules"]): string | undefined {
  for (const [form, translation] of Object.entries(rules)) {
    if (!form.includes("{")) continue
    const escaped = form.replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    const names = new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "s").exec(rule)?.groups
    if (names !== undefined) return translation.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? "")
  }
  return undefined
}
