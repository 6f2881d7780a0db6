import { invalid } from "../errors.ts"
import type { Programme } from "../programme/model.ts"
import { maxReasonLength, maxTagLength, maxTags } from "../programme/programme-fields.ts"
import { checkText, isShorterThan, normalized, trimmedLines } from "../text.ts"
import type { Note } from "./model.ts"

/** Reason and tags of a request that sends points, not yet checked (docs/interface/transactions.md). */
export interface NoteRequest {
  readonly reason?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  /** The reason is for sender and receiver only. */
  readonly private?: boolean | undefined
}

/**
 * The note with its reason trimmed and its line breaks as \n; undefined when it has neither a reason nor a tag. Whether the
 * programme allows it is `checkAllowed`.
 * @throws DomainError `invalid`, naming the field and its rule, never the value
 */
export function checkedNote(request: NoteRequest | undefined): Note | undefined {
  // Most requests have no note, and end here.
  if (request === undefined || (request.reason == null && request.tags === undefined)) return undefined
  const reason = trimmedLines(request.reason ?? "")
  checkText("reason", reason, maxReasonLength)
  const given = request.tags ?? []
  if (given.length > maxTags || new Set(given).size < given.length) throw invalid("tags", "each at most once")
  const tags = given.map((tag) => normalized(tag, "NFC", maxTagLength))
  if (reason === "" && tags.length === 0) return undefined
  return { reason, tags, isPrivate: request.private === true && reason !== "" }
}

/** What a programme says about the notes of transfers. */
type NoteRules = Pick<Programme, "reason" | "reason_min" | "tag" | "tags">

/**
 * Whether the programme allows this note. The ledger asks inside its lock, so that a repeated request gets its first answer
 * even if the programme has changed.
 * @throws DomainError `invalid`
 */
export function checkAllowed(note: Note | undefined, { reason, reason_min, tag, tags }: NoteRules): void {
  checkTags(note, tags)
  if (tag === "required" && !note?.tags.length) throw invalid("tags", "at least one")
  const least = reason === "required" || note?.reason ? Math.max(reason_min, 1) : 0
  if (isShorterThan(note?.reason ?? "", least)) throw invalid("reason", `at least ${least} characters`)
}

/** Whether the programme has these tags. @throws DomainError `invalid` */
export function checkTags(note: Note | undefined, known: NoteRules["tags"]): void {
  const given = note?.tags ?? []
  const names = known.map(({ name }) => name)
  if (given.every((tag) => names.includes(tag)) && new Set(given).size === given.length) return
  throw invalid("tags", known.length === 0 ? "this server has no tags" : `each at most once, of ${names.join(", ")}`)
}
