/** The off-site storage, or a backup in it, cannot be used. */
export class OffSiteFailure extends Error {
  override readonly name = "OffSiteFailure"
  readonly problem: string
  readonly cure: string

  constructor(problem: string, cure: string, options?: ErrorOptions) {
    super(`${problem}; ${cure}`, options)
    this.problem = problem
    this.cure = cure
  }
}
