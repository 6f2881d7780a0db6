/**
 * A message of the server in another language; undefined if the catalogue does not have it. In the catalogue, `#` stands for
 * each number of the message, in the same order, and a rule that holds for any field stands without the field's name.
 */
export function translatedDetail(detail: string, catalogue: Readonly<Record<string, string>>): string | undefined {
  const numbers = detail.match(/\d+/g) ?? []
  const rule = detail.replace(/^\w+: /, "")
  const found = [detail, rule].flatMap((text) => [text, text.replace(/\d+/g, "#")]).find((text) => text in catalogue)
  if (found === undefined) return undefined
  const next = numbers.values()
  return catalogue[found]?.replaceAll("#", () => next.next().value ?? "#")
}
