/** What a handler throws when another attempt will help as soon as something else is well again, such as a mail server:
 *  it is made for as long as the job is of use. */
export class TemporaryFailure extends Error {
  override readonly name = "TemporaryFailure"
}

/** What a handler throws when another attempt cannot help: the job is discarded at once. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure"
}
