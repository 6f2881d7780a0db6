import { storedValue } from "./browser-storage.ts"

/** Outlasts a reload of the page and the end of the session, but neither its tab nor a log-out. */
const storage = storedValue("drafts", () => sessionStorage)

/** What one person typed and has not sent, by the name of its place. */
interface Drafts {
  readonly username: string
  readonly texts: Readonly<Record<string, string>>
}

/** What this person typed at that place before the page was loaded; null when there is nothing. */
export const loadDraft = (username: string, field: string): string | null => loadDrafts(username).texts[field] ?? null

/** Null when it is sent or taken back. What another person typed is forgotten. */
export function storeDraft(username: string, field: string, text: string | null) {
  const { [field]: _, ...others } = loadDrafts(username).texts
  const texts = text === null ? others : { ...others, [field]: text }
  storage.set(Object.keys(texts).length === 0 ? null : JSON.stringify({ username, texts } satisfies Drafts))
}

export const clearDrafts = () => storage.set(null)

function loadDrafts(username: string): Drafts {
  const drafts = JSON.parse(storage.get() ?? "null") as Drafts | null
  return drafts?.username === username ? drafts : { username, texts: {} }
}
