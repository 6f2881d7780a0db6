/** What a key asks for, where nobody types. */
export type Wish =
  | { readonly kind: "palette" }
  | { readonly kind: "sheet" }
  | { readonly kind: "give" }
  | { readonly kind: "go"; readonly letter: string }

/** After `g` the letter must come within this time. */
const patienceMs = 1500

/** Reads wishes from keys as they come: Ctrl or Cmd with K everywhere; `?`, `n`, and `g` with a letter outside of fields. */
export function createKeyReader() {
  let goneAt = Number.NEGATIVE_INFINITY

  return (event: KeyboardEvent): Wish | null => {
    const { key, timeStamp } = event
    if (event.isComposing || event.altKey) return null
    if (event.ctrlKey || event.metaKey) return key.toLowerCase() === "k" && !event.shiftKey ? { kind: "palette" } : null
    if (event.repeat || isTyping(event.target)) return null
    const isGoing = timeStamp - goneAt < patienceMs
    goneAt = key === "g" && !isGoing ? timeStamp : Number.NEGATIVE_INFINITY
    if (isGoing) return { kind: "go", letter: key }
    if (key === "?") return { kind: "sheet" }
    return key === "n" ? { kind: "give" } : null
  }
}

/** Letters belong to fields and to lists that are looked through by them; an open dialog has its own keys. */
const isTyping = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest("input, textarea, select, [contenteditable], [role=listbox], dialog") !== null ||
  document.querySelector("dialog[open]") !== null
