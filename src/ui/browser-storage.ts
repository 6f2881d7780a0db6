/** A value in browser storage. Where storage is blocked, the value lasts as long as the page. */
export function storedValue(name: string, storage: () => Storage = () => localStorage) {
  let inPage: string | null = null
  return {
    get(): string | null {
      try {
        return storage().getItem(name)
      } catch {
        return inPage
      }
    },
    /** Null removes the value. */
    set(value: string | null) {
      inPage = value
      try {
        if (value === null) storage().removeItem(name)
        else storage().setItem(name, value)
      } catch {
        // Private windows may refuse storage. The value in memory remains.
      }
    },
  }
}

/** The last feed, for a visit without a connection (device/kept.ts). Whoever logs out forgets it. */
export const keptFeed = storedValue("feed")

/** Survives a reload and the end of the log-in session. Cleared when the tab closes or the user logs out. */
const storage = storedValue("drafts", () => sessionStorage)

/** The unsent text of one user, by field. */
interface Drafts {
  readonly username: string
  readonly texts: Readonly<Record<string, string>>
}

/** The text that this user typed into the field before a reload; null if there is none. */
export const loadDraft = (username: string, field: string): string | null => loadDrafts(username).texts[field] ?? null

/** Stores a draft; null removes it, for example after it was sent. Discards drafts of another user. */
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
