/** A small thing that this browser keeps; where nothing may be kept, it lasts as long as the page. */
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
    /** Null forgets it. */
    set(value: string | null) {
      inPage = value
      try {
        if (value === null) storage().removeItem(name)
        else storage().setItem(name, value)
      } catch {
        // Private windows may refuse; the page's own memory does.
      }
    },
  }
}
