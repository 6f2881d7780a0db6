import { type Refused, translatedRefusal, withoutField } from "../../languages/refusals.ts"
import { fill } from "../../languages/writing.ts"
import { formatDuration } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Failure } from "./api.ts"

/** The message for a failure to load something that is retried automatically. */
export function loadMessageOf(failure: Failure): string {
  const { failures } = t()
  if (failure.kind === "unreachable") return failures.unloaded
  if (failure.kind === "refused" && failure.status === 401) return failures.locked
  return messageOf(failure)
}

/** What the server says, in the language of the page if it has the words. */
export const translated = (refused: Refused): string => translatedRefusal(refused, t().details) ?? refused.detail

/** The same at the field that it is about, which need not be named there. */
export function translatedAtField(refused: Refused): string {
  const rule = withoutField(refused)
  return translatedRefusal(refused, t().details) ?? rule.charAt(0).toLocaleUpperCase() + rule.slice(1)
}

/** The message for a failed action, with the waiting time if there is one. */
export function messageOf(failure: Failure): string {
  const { failures } = t()
  if (failure.kind === "unreachable") return failures.unreachable
  if (failure.kind === "broken") return failures.broken
  const message = translated(failure)
  if (failure.waitSeconds === undefined) return message
  const wait = fill(failures.wait, { time: formatDuration(failure.waitSeconds) })
  return /[.!?]$/.test(message) ? `${message} ${wait}` : `${message}. ${wait}`
}
