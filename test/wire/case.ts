/** What somebody sends over a connection of its own. */
export interface Case {
  readonly kind: string
  /** Written one after another, with a pause between. */
  readonly pieces: readonly Buffer[]
  /** True: a whole request, so that an answer or the end of the connection must come. False: it may wait for more,
   *  and must end when the sender says that nothing more comes. */
  readonly isWhole: boolean
  /** Frames for a WebSocket, once `pieces` opened it. */
  readonly frames?: readonly Buffer[]
  /** Every frame is masked and as long as it says, so that whoever has not closed must answer a ping behind them. */
  readonly areFramesWhole?: boolean
}

/** One character a byte. */
export const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

export const whole = (kind: string, ...pieces: readonly (string | Buffer)[]): Case => ({
  kind,
  pieces: [Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? bytes(piece) : piece)))],
  isWhole: true,
})

/** Nobody may find this among the paths that the server was asked for: it stands where only a body can be. */
export const smuggledPath = "/smuggled/"
