import { translatedDetail } from "../../domain/details/translated.ts"
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
