const isApple = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** The key that goes with K, as it is written on it. */
export const modifier = isApple ? "⌘" : "Ctrl"

/** The same in the words of `aria-keyshortcuts`. */
export const ariaModifier = isApple ? "Meta" : "Control"
