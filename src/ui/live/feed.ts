import { computed, effect } from "@preact/signals"
import { wakeAll } from "../server/wakened.ts"
import { checkSession, session } from "../session.ts"
import { createLive } from "./live.ts"

/** The feed as it happens, for those who are logged in. */
export const liveFeed = createLive({
  url: `${location.origin.replace(/^http/, "ws")}/api/v1/stream`,
  isOpenToUs: computed(() => session.value.kind === "member"),
  // A refused handshake does not say why.
  onLost: () => void checkSession(),
})

effect(() => {
  if (liveFeed.state.value.kind === "live") wakeAll()
})
