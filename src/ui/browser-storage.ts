/** The values whose storage is blocked, by name. */
const inPage = new Map<string, string>()

/** A value in browser storage. Where storage is blocked, the value lasts as long as the page. */
export function storedValue(name: string, storage: () => Storage = () => localStorage) {
  return {
    get(): string | null {
      try {
        return storage().getItem(name)
      } catch {
        return inPage.get(name) ?? null
      }
    },
    /** Null removes the value. */
    set(value: string | null) {
      if (value === null) inPage.delete(name)
      else inPage.set(name, value)
      try {
        if (value === null) storage().removeItem(name)
        else storage().setItem(name, value)
      } catch {
        // Private windows may refuse storage. The value in memory remains.
      }
    },
  }
}

/** Keys that belong to the device, not to a user: its colours, the wall beside it, reloads that did not help, and what the
 *  columns of imported files mean. */
const ofDevice: readonly string[] = ["appearance", "wall-shown", "reloads", "import-readings"]

/**
 * Forgets whatever is stored of a user, also by parts of the app that are not loaded. What the tab stores names its user and waits
 * for them. `ofTab`, for a log-out, forgets that too.
 */
export function forgetStored({ ofTab }: { readonly ofTab: boolean }) {
  const kept = ofTab ? ofDevice : [...ofDevice, "language"]
  for (const storage of [() => localStorage, ...(ofTab ? [() => sessionStorage] : [])])
    try {
      const area = storage()
      for (const name of Object.keys(area)) if (!kept.includes(name)) area.removeItem(name)
    } catch {
      // Blocked: there are only the values of this page.
    }
  for (const name of inPage.keys()) if (!kept.includes(name)) inPage.delete(name)
}

/** The last feed, for a visit without a connection (device/kept.ts). It is forgotten when the session ends. */
export const keptFeed = storedValue("feed")

/** The user whose data this browser stores. */
export const lastUser = storedValue("user")

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

/** Keeps the drafts of somebody who has another username now. */
export function renameDrafts(former: string, username: string) {
  const { texts } = loadDrafts(former)
  if (Object.keys(texts).length > 0) storage.set(JSON.stringify({ username, texts } satisfies Drafts))
}

function loadDrafts(username: string): Drafts {
  const drafts = JSON.parse(storage.get() ?? "null") as Drafts | null
  return drafts?.username === username ? drafts : { username, texts: {} }
}
