import type { Answer, Checkpoint, Opening, Request } from "./runner.ts"

/* What the event loop and a thread say to each other. Each message is answered in its order. */

/** To the thread: an opening, requests, or the number of frames from which on a checkpoint is made; what ends it. */
export type Message =
  | { readonly open: Opening }
  | { readonly run: readonly Request[] }
  | { readonly checkpoint: number }
  | { readonly end: "close" | "cutOff" }

/**
 * From the thread, as JSON: many rows cross faster as a text than as objects, and a few long texts faster as they are.
 * `error`: why it could not be opened or closed.
 */
export type Reply =
  | { readonly opened: true }
  | { readonly ended: true }
  | { readonly answers: readonly Answer[] }
  | { readonly checkpoint: Checkpoint }
  | { readonly error: { readonly code: string; readonly message: string } }

/** Bytes in a message. */
export interface Encoded {
  readonly base64: string
}

export const bytesOf = (value: Encoded): Uint8Array => Uint8Array.fromBase64(value.base64)
export const encoded = (bytes: Uint8Array): Encoded => ({ base64: bytes.toBase64() })
