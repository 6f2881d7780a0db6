import { computed } from "@preact/signals"
import { locale } from "./texts.ts"

/**
 * Makes of a formatter the one of the page's locale: to make one takes ten times as long as to use it, and a list uses
 * hundreds. `perLocale((tag) => new Intl.NumberFormat(tag))` is a function that answers it. It is made anew when the
 * locale changes, or another signal that `make` reads.
 */
export function perLocale<T>(make: (tag: string) => T): () => T {
  const made = computed(() => make(locale.value))
  return () => made.value
}
