import { fill, formatDuration } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Failure } from "./request.ts"

/** The message for a failure to load something that is retried automatically. */
export function loadMessageOf(failure: Failure): string {
  const { failures } = t()
  if (failure.kind === "unreachable") return failures.unloaded
  if (failure.kind === "refused" && failure.status === 401) return failures.locked
  return messageOf(failure)
}

/** The message for a failure: the server's `detail`, translated if the catalogue has it. */
export function messageOf(failure: Failure): string {
  const { failures, details } = t()
  if (failure.kind === "unreachable") return failures.unreachable
  if (failure.kind === "broken") return failures.broken
  const message = details[failure.detail] ?? failure.detail
  if (failure.waitSeconds === undefined) return message
  const wait = fill(failures.wait, { time: formatDuration(failure.waitSeconds) })
  return /[.!?]$/.test(message) ? `${message} ${wait}` : `${message}. ${wait}`
}
