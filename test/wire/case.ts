/** What a client sends over one connection. */
export interface Case {
  readonly kind: string
  /** Written one after another, with a pause between. */
  readonly pieces: readonly Buffer[]
  /** True: a whole request, after which an answer or the end of the connection must follow. False: the server may wait
   *  for more, and must end when the sender closes its side. */
  readonly isWhole: boolean
  /** Frames for a WebSocket, once `pieces` opened it. */
  readonly frames?: readonly Buffer[]
  /**
   * Whether every frame is masked and has the length in its header. Then the server must close, or answer a ping after
   * them.
   */
  readonly areFramesWhole?: boolean
}

/** Converts text to bytes, one byte for each character. */
export const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

export const whole = (kind: string, ...pieces: readonly (string | Buffer)[]): Case => ({
  kind,
  pieces: [Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? bytes(piece) : piece)))],
  isWhole: true,
})

/** A path that must never appear in the log as requested, because it occurs only where a body can be. */
export const smuggledPath = "/smuggled/"
