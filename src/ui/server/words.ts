import { t } from "../texts/texts.ts"
import type { Failure } from "./ask.ts"

/** What a person reads of a failure: the server's own words, in the language of the page where they are known. */
export function wordsOf(failure: Failure): string {
  const { failures, details } = t()
  if (failure.kind === "unreachable") return failures.unreachable
  if (failure.kind === "broken") return failures.broken
  return details[failure.detail] ?? failure.detail
}
