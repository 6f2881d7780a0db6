/** What a handler throws when another attempt cannot help: the job is discarded at once. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure"
}
