import { fill, formatDuration } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Failure } from "./api.ts"

/** The message for a failure to load something that is retried automatically. */
export function loadMessageOf(failure: Failure): string {
  const { failures } = t()
  if (failure.kind === "unreachable") return failures.unloaded
  if (failure.kind === "refused" && failure.status === 401) return failures.locked
  return messageOf(failure)
}

/** A `detail` of the server, translated if the catalogue has it. */
export const translated = (detail: string): string => translatedDetail(detail, t().details) ?? detail

/** The message for a failed action, with the waiting time if there is one. */
export function messageOf(failure: Failure): string {
  const { failures } = t()
  if (failure.kind === "unreachable") return failures.unreachable
  if (failure.kind === "broken") return failures.broken
  const message = translated(failure.detail)
  if (failure.waitSeconds === undefined) return message
  const wait = fill(failures.wait, { time: formatDuration(failure.waitSeconds) })
  return /[.!?]$/.test(message) ? `${message} ${wait}` : `${message}. ${wait}`
}

/**
 * A message of the server in another language; undefined if the catalogue does not have it. In the catalogue, each `#`
 * stands for a number of the message, in the same order, and `{name}` for any other part that varies. A rule that
 * applies to any field is listed without the field's name.
 */
export function translatedDetail(detail: string, catalogue: Readonly<Record<string, string>>): string | undefined {
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
    if (names !== undefined) return fill(translation, names)
  }
  return undefined
}
