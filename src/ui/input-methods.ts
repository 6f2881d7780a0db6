/**
 * Keys that an input method takes, such as the Enter that confirms a word, reach no field, list or shortcut of the app: only the
 * browser sees them. Safari sends that Enter after the word has ended, with `isComposing` false; only the code tells it.
 */
export function leaveKeysToInputMethods() {
  window.addEventListener("keydown", (event) => isOfInputMethod(event) && event.stopImmediatePropagation(), {
    capture: true,
  })
}

/** What browsers send for every key that an input method takes. */
const processedKey = 229

const isOfInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === processedKey
