import type { SecretlessConfig } from "../config/settings.ts"
import type { Clock } from "../domain/model.ts"
import { readAuthorities } from "../net.ts"
import { createOutbound, RefusedDestination, type Resolve } from "../outbound.ts"
import { createSealedSecrets } from "../secrets.ts"
import { createMessages } from "./messages.ts"
import { createSender } from "./sender.ts"

interface Dependencies {
  readonly config: Pick<SecretlessConfig, "service" | "webhooks">
  readonly clock: Clock
  /** The setting `security.secret_key`. */
  readonly secret: string
  readonly address: { readonly url: string }
  readonly resolve?: Resolve | undefined
}

/** What webhooks send, and the HTTP client that sends it. */
export function createWebhookSending({ config, clock, secret, address, resolve }: Dependencies) {
  const { allow_private, ports, ca } = config.webhooks
  const outbound = createOutbound({
    allowPrivate: allow_private,
    ports,
    ...(ca !== null && { ca: () => readAuthorities("webhooks.ca", ca) }),
    ...(resolve && { resolve }),
  })
  const secrets = createSealedSecrets(secret, "webhooks")
  const messages = createMessages({ service: config.service, address })
  return {
    outbound,
    seal: secrets.seal,
    sender: createSender({ outbound, secrets, messages, clock }),
    /**
     * Why this server would not connect to a URL, without any part of it; null when it would, or when its name cannot be
     * looked up now.
     */
    async refusalOf(url: string): Promise<string | null> {
      try {
        await outbound.check(url)
        return null
      } catch (error) {
        return error instanceof RefusedDestination ? error.rule : null
      }
    },
  }
}
