import type { Ledger } from "../domain/ledger/ledger.ts"
import { createPushDevices } from "../domain/push/devices.ts"
import { createPushContents, createPushDispatch } from "../domain/push/dispatch.ts"
import { createEvents } from "../domain/webhooks/events.ts"
import { createWebhooks } from "../domain/webhooks/webhooks.ts"
import { createMattermost } from "../integrations/mattermost/mattermost.ts"
import { createPushSending } from "../integrations/push/push.ts"
import { createSlack } from "../integrations/slack/slack.ts"
import { createWebhookSending } from "../integrations/webhooks/sender.ts"
import type { Resolve } from "../net/resolver.ts"
import { createUnsubscribeTokens } from "../security/secrets.ts"
import type { Shared } from "./shared.ts"

/** Webhooks, notifications on devices, chats, and the links in mails. */
export function wireIntegrations(
  { config, store, clock, log, secret, address, programme, makeOnce, onEnqueue }: Shared,
  { ledger }: { ledger: Ledger },
  resolve: Resolve | undefined,
) {
  const { sender, outbound, seal, refusalOf } = createWebhookSending({
    config,
    clock,
    secret,
    address,
    programme: programme.current,
    resolve,
  })
  const chat = {
    outbound,
    store,
    ledger,
    programme: programme.current,
    language: config.service.language,
    clock,
    log,
    maxAttempts: config.jobs.max_attempts,
    onEnqueue,
  }
  const pushSending = createPushSending({
    config,
    store,
    programme: programme.current,
    contentOf: createPushContents(store, clock),
    clock,
    log,
    secret,
    address,
    resolve,
  })
  return {
    events: createEvents({ store, clock, keepDays: config.webhooks.keep_days }),
    webhooks: createWebhooks({ store, clock, makeOnce, seal, refusalOf, sender }),
    webhookSender: sender,
    outbound,
    pushSending,
    pushDevices: createPushDevices({ store, clock, refusalOf: pushSending.refusalOf }),
    pushDispatch: createPushDispatch({ store, clock, maxAttempts: config.jobs.max_attempts, wake: onEnqueue }),
    slack: createSlack({ settings: config.slack, ...chat }),
    mattermost: createMattermost({ settings: config.mattermost, ...chat }),
    unsubscribeTokens: createUnsubscribeTokens(secret),
  }
}
