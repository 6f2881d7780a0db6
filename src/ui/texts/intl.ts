import { locale } from "./texts.ts"

/**
 * Makes of a formatter one for each locale: to make one takes ten times as long as to use it, and a list uses hundreds.
 * `perLocale((tag) => new Intl.NumberFormat(tag))` is a function that answers the one of the page's locale.
 */
export function perLocale<T>(make: (tag: string) => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const known = made.get(locale.value) ?? make(locale.value)
    made.set(locale.value, known)
    return known
  }
}
