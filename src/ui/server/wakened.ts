const sleepers = new Set<() => void>()

/** Ends every wait for another try: somebody is impatient, or the server can be reached again. */
export function wakeAll() {
  for (const wake of sleepers) wake()
}

/** Resolves after this time, or as soon as another try is worth it: when the browser is online again, or at `wakeAll`. */
export function wakened(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms)
    window.addEventListener("online", wake)
    sleepers.add(wake)
    function wake() {
      clearTimeout(timer)
      window.removeEventListener("online", wake)
      sleepers.delete(wake)
      resolve()
    }
  })
}
