import type { PushMessage } from "../jobs/jobs.ts"
import type { KeptCredential } from "../people/credentials.ts"
import type { PushDevice, StoredPushKeys } from "./model.ts"

type NewPushDevice = Omit<PushDevice, "id" | "lastUsedAt" | "silences" | "silentSince"> & {
  /** When the session or access token that asks for notifications expires. */
  readonly endsAt: number
}

export interface PushStore {
  keys(): Promise<StoredPushKeys | null>
  /**
   * Stores keys unless there are some, and returns those that are stored. Keys whose public key is `replaced` make room, and all
   * devices with them, because a push service takes their messages only with the keys of the time.
   */
  keepKeys(made: StoredPushKeys, replaced: string | null): Promise<StoredPushKeys>
  /** Those that have not ended by `now`, oldest first. */
  devicesOf(userId: number, now: number): Promise<readonly PushDevice[]>
  /** Null for one that has ended by `now`, too. */
  device(id: number, now: number): Promise<PushDevice | null>
  /**
   * Adds a device, or replaces what is stored of its endpoint, whoever had it. It belongs to `credential`, and ends in the commit
   * that ends this session, or all access tokens of the person (`endPush` in src/storage/auth/access.ts). `pushWork` begins with
   * the first device, so that every later recognition is due.
   * @throws DomainError `too_many_devices` when the person has `max` others; `bad_credentials` when `credential` has ended
   */
  add(device: NewPushDevice, max: number, credential: KeptCredential): Promise<PushDevice>
  /** Whether the person had it. */
  remove(userId: number, id: number): Promise<boolean>
  saveUse(id: number, at: number): Promise<void>
  saveSilence(id: number, silence: Pick<PushDevice, "silences" | "silentSince">): Promise<void>
  /**
   * Recognitions with ids from `after` (exclusive) through `through`, with each device of their receivers that has not ended by
   * `now`.
   */
  due(after: number, through: number, now: number): Promise<readonly PushMessage[]>
  /** Deletes devices that have ended by `now`. */
  prune(now: number): Promise<void>
}
