/**
 * Rows that must exist do not. Whoever waits for them throws this instead of asking for ever. The message names no
 * person, so it may be logged.
 */
export class DatabaseDamaged extends Error {
  override readonly name = "DatabaseDamaged"

  constructor(fault: string) {
    super(`the database is damaged: ${fault}; \`rewards verify\` lists everything that is wrong with it`)
  }
}
