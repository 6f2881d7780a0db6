import { useLayoutEffect, useState } from "preact/hooks"
import { liveFeed } from "../../live/feed.ts"
import { createLive, type LiveState } from "../../live/live.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { loadSession, service, session } from "../../session.ts"
import { isToAnother, type OpenFrame, ofFrame, ofRecognition, type WallEntry } from "./entry.ts"

/** Where the wall's entries come from. */
export interface Source {
  readonly live: { readonly state: { readonly value: LiveState } }
  /** Tells what there is, then what comes; `missed`: not as it happened. Until the returned function is called. */
  follow(tell: (entries: readonly WallEntry[], about: { readonly missed: boolean }) => void): () => void
}

/** As many as the largest wall has room for. */
export const mostShown = 12
const retryMs = 3000

/** What everybody may see where `stream.access` is public: names and points. */
const openLine = createLive<OpenFrame>({
  url: `${location.origin.replace(/^http/, "ws")}/transaction/ws`,
  beginning: "?last=100", // more than is shown: not all of them are recognitions
  beats: false,
  onLost() {},
})

const forEverybody: Source = {
  live: openLine,
  follow: (tell) => openLine.listen(null, (frames, about) => tell(frames.filter(isToAnother).map(ofFrame), about)),
}

const forMembers: Source = {
  live: liveFeed,
  follow(tell) {
    let leave: (() => void) | null = () => clearTimeout(retry)
    let retry = 0
    const begin = async () => {
      const answer = await ask(api.api.v1.feed.get({ query: { size: String(mostShown) } }))
      if (leave === null) return
      if (answer.kind !== "done") {
        retry = window.setTimeout(begin, retryMs)
        return
      }
      const { items } = answer.data
      tell(items.toReversed().map(ofRecognition), { missed: true })
      leave = liveFeed.listen(items[0]?.id ?? 0, (entries, about) => tell(entries.map(ofRecognition), about))
    }
    void begin()
    return () => {
      leave?.()
      leave = null
    }
  },
}

/** With a session the feed, else what is open to everybody; null while it is not known, or when one must log in. */
export function useSource(): { readonly source: Source | null; readonly mustLogIn: boolean } {
  const [told, setTold] = useState<typeof service.value>(null)
  const now = session.value
  const open = service.value ?? told
  useLayoutEffect(() => {
    let retry = 0
    const look = async () => {
      if (session.peek().kind === "failed") await loadSession()
      if (service.peek() !== null) return
      const answer = await ask(api.api.v1.service.get())
      if (answer.kind === "done") setTold(answer.data)
      if (answer.kind !== "done" || session.peek().kind === "failed") retry = window.setTimeout(look, retryMs)
    }
    void look()
    return () => clearTimeout(retry)
  }, [])

  if (open === null || now.kind === "unknown" || now.kind === "failed") return { source: null, mustLogIn: false }
  const isOpen = open.stream_access === "public"
  const seesAll = now.kind === "member" && (open.feed === "all" || now.me.role === "superuser")
  if (seesAll || (now.kind === "member" && !isOpen)) return { source: forMembers, mustLogIn: false }
  return { source: isOpen ? forEverybody : null, mustLogIn: !isOpen }
}
