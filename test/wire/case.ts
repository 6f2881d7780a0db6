/** What a client sends over one connection. */
export interface Case {
  readonly kind: string
  /** Written one after another, with a pause between. */
  readonly pieces: readonly Buffer[]
  /** True: a whole request, so that an answer or the end of the connection must follow. False: the server may wait for more,
   *  and must end when the sender says that nothing more comes. */
  readonly isWhole: boolean
  /** Frames for a WebSocket, once `pieces` opened it. */
  readonly frames?: readonly Buffer[]
  /** Every frame is masked and as long as it says, so that the server must close, or answer a ping after them. */
  readonly areFramesWhole?: boolean
}

/** One character a byte. */
export const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

export const whole = (kind: string, ...pieces: readonly (string | Buffer)[]): Case => ({
  kind,
  pieces: [Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? bytes(piece) : piece)))],
  isWhole: true,
})

/** Must never appear in the log as a requested path: it occurs only where a body can be. */
export const smuggledPath = "/smuggled/"
