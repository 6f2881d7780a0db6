import { storedValue } from "../browser-storage.ts"

/** The newest seen id, in localStorage; null before the first one. */
export function storedId(key: string) {
  const storage = storedValue(key)
  const get = (): number | null => {
    const id = storage.get()
    return id === null ? null : Number(id)
  }
  const set = (id: number) => storage.set(String(id))
  const includes = (id: number): boolean => id <= (get() ?? 0)

  return {
    key,
    get,
    set,
    /** Whether this id has been seen: it or a newer one is stored. */
    includes,
    /** After the server was restored from a backup, the stored id may be higher than the newest one. */
    lowerTo(newest: number) {
      if ((get() ?? 0) > newest) set(newest)
    },
  }
}
