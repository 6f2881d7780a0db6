/** The name of the work in `job_progress` that enqueues messages to devices. */
export const pushWork = "push"

/** A browser in which somebody switched notifications on. */
export interface PushDevice {
  readonly id: number
  readonly userId: number
  /** Where the push service of the browser takes messages. */
  readonly endpoint: string
  /** The browser's keys, base64url. */
  readonly p256dh: string
  readonly auth: string
  readonly name: string
  readonly createdAt: number
  /** When the push service took a message last; null: not yet. */
  readonly lastUsedAt: number | null
  /** How many times one after the other the push service did not answer at all, and since when. */
  readonly silences: number
  readonly silentSince: number | null
}

/** The key pair of this server, as it is stored. */
export interface StoredPushKeys {
  /** Base64url. */
  readonly publicKey: string
  /** Encrypted. */
  readonly privateKey: string
}
