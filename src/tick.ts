let number = 0
let isCounted = false

/** The turn of the event loop that runs now: what was looked at in the same one is as good as looked at again. */
export function turn(): number {
  if (!isCounted) {
    isCounted = true
    setImmediate(() => {
      number += 1
      isCounted = false
    })
  }
  return number
}
