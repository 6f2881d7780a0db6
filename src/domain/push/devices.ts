import type { Caller } from "../auth/access.ts"
import { keptBy } from "../auth/sessions.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { maxLengths } from "../people/fields.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { checkLine, isLine, isLongerThan } from "../text.ts"
import type { PushDevice } from "./model.ts"

/** How many devices a person has at most. */
export const maxDevices = 10
export const maxEndpointLength = 2048

/** What a browser says of itself (a PushSubscription), and a name for the person. */
export interface PushSubscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly name: string
}

interface Dependencies {
  readonly store: Pick<Store, "push">
  readonly clock: Clock
  /** Why this server would not connect to a URL; null when it would. */
  readonly refusalOf: (url: string) => Promise<string | null>
}

/** The browsers that show notifications while the app is closed (docs/interface/devices.md). */
export function createPushDevices({ store, clock, refusalOf }: Dependencies) {
  const { push } = store
  return {
    of: (user: User): Promise<readonly PushDevice[]> => push.devicesOf(user.id, clock()),

    /**
     * A browser that is known already replaces what it said before, and no longer belongs to anybody else. So a repeated request
     * needs no key.
     * @throws DomainError `invalid`, `too_many_devices`, `bad_credentials`
     */
    async add(caller: Caller, request: PushSubscription): Promise<PushDevice> {
      const subscription = await checked(request)
      const added = { ...subscription, userId: caller.user.id, createdAt: clock(), endsAt: caller.expiresAt }
      return push.add(added, maxDevices, keptBy(caller))
    },

    /** @throws DomainError `device_not_found` */
    async remove(user: User, id: number): Promise<void> {
      if (!(await push.remove(user.id, id))) throw new DomainError("device_not_found")
    },
  }

  async function checked({ endpoint, p256dh, auth, name }: PushSubscription): Promise<PushSubscription> {
    checkLine("name", name, maxLengths.name)
    if (isLongerThan(endpoint, maxEndpointLength) || !isLine(endpoint))
      throw invalid("endpoint", `at most ${maxEndpointLength} characters`)
    // RFC 8291: a point of the curve, which is not compressed, and 16 bytes.
    if (!isBase64Url(p256dh, 65) || !(await isPoint(Buffer.from(p256dh, "base64url"))))
      throw invalid("keys.p256dh", "a public key of P-256")
    if (!isBase64Url(auth, 16)) throw invalid("keys.auth", "16 bytes in base64url")
    const refusal = await refusalOf(endpoint)
    if (refusal !== null) throw invalid("endpoint", refusal)
    return { endpoint, p256dh, auth, name }
  }
}

/** Whether these 65 bytes are a point of P-256. Nothing can be encrypted for any others. */
async function isPoint(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    await crypto.subtle.importKey("raw", bytes, { name: "ECDH", namedCurve: "P-256" }, false, [])
    return true
  } catch {
    return false
  }
}

const isBase64Url = (text: string, bytes: number): boolean =>
  /^[A-Za-z0-9_-]*=*$/.test(text) && text.length <= 128 && Buffer.from(text, "base64url").length === bytes
