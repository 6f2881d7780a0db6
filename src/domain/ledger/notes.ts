import { invalid } from "../errors.ts"
import { checkText, normalized, trimmedLines } from "../text.ts"
import type { Note } from "./model.ts"

/** Reason and tags of a request that sends points, not yet checked (docs/interface.md, "Transactions"). */
export interface NoteRequest {
  readonly reason?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  /** The reason is for sender and receiver only. */
  readonly private?: boolean | undefined
}

/** In characters. The app has a copy of the first, in ui/transfer/draft.ts. */
export const maxReasonLength = 500
export const maxTagLength = 32

/**
 * The note with its reason trimmed and its line breaks as \n; undefined when it has neither a reason nor a tag.
 * `knownTags` is the setting `recognition.tags`.
 * @throws DomainError `invalid`, naming the field and its rule, never the value
 */
export function checkedNote(request: NoteRequest | undefined, knownTags: readonly string[]): Note | undefined {
  // Most requests have no note, and end here.
  if (request === undefined || (request.reason == null && request.tags === undefined)) return undefined
  const reason = checkedReason(request.reason ?? "")
  const tags = checkedTags(request.tags ?? [], knownTags)
  if (reason === "" && tags.length === 0) return undefined
  return { reason, tags, isPrivate: request.private === true && reason !== "" }
}

function checkedReason(given: string): string {
  const reason = trimmedLines(given)
  checkText("reason", reason, maxReasonLength)
  return reason
}

function checkedTags(given: readonly string[], known: readonly string[]): readonly string[] {
  const tags = given.slice(0, known.length + 1).map((tag) => normalized(tag, "NFC", maxTagLength))
  if (tags.every((tag) => known.includes(tag)) && new Set(tags).size === given.length) return tags
  throw invalid("tags", known.length === 0 ? "this server has no tags" : `each at most once, of ${known.join(", ")}`)
}
