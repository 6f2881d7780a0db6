import { kept } from "./browser-storage.ts"

/** Outlasts a reload of the page and the end of the session, but neither its tab nor a log-out. */
const storage = kept("drafts", () => sessionStorage)

/** What one person typed and has not sent, by the name of its place. */
interface Drafts {
  readonly username: string
  readonly texts: Readonly<Record<string, string>>
}

/** What this person typed at that place before the page was loaded; null when there is nothing. */
export const draftOf = (username: string, place: string): string | null => draftsOf(username).texts[place] ?? null

/** Null when it is sent or taken back. What another person typed is forgotten. */
export function keepDraft(username: string, place: string, text: string | null) {
  const { [place]: _, ...others } = draftsOf(username).texts
  const texts = text === null ? others : { ...others, [place]: text }
  storage.set(Object.keys(texts).length === 0 ? null : JSON.stringify({ username, texts } satisfies Drafts))
}

export const forgetDrafts = () => storage.set(null)

function draftsOf(username: string): Drafts {
  const drafts = JSON.parse(storage.get() ?? "null") as Drafts | null
  return drafts?.username === username ? drafts : { username, texts: {} }
}
