/**
 * The `detail` of an error in another language; undefined if the catalogue does not have it. In the catalogue, each `#`
 * stands for a number of the detail, in the same order, and `{name}` for any other part that varies. A rule that
 * applies to any field is listed without the field's name.
 */
export function translatedDetail(detail: string, catalogue: Readonly<Record<string, string>> = {}): string | undefined {
  const numbers = detail.match(/\d+/g) ?? []
  const rule = detail.replace(/^\w+: /, "")
  const found = [detail, rule].flatMap((text) => [text, text.replace(/\d+/g, "#")]).find((text) => text in catalogue)
  if (found === undefined) return translatedWithNames([rule, detail], catalogue)
  const next = numbers.values()
  return catalogue[found]?.replaceAll("#", () => next.next().value ?? "#")
}

function translatedWithNames(
  texts: readonly string[],
  catalogue: Readonly<Record<string, string>>,
): string | undefined {
  for (const [form, translation] of Object.entries(catalogue)) {
    if (!form.includes("{")) continue
    const escaped = form.replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    const pattern = new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "s")
    const names = texts.map((text) => pattern.exec(text)?.groups).find((groups) => groups !== undefined)
    if (names !== undefined) return translation.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? "")
  }
  return undefined
}
