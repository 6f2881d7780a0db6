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
        // Private windows may refuse storage; the value in memory remains.
      }
    },
  }
}
