import { effect } from "@preact/signals"

/** Resolves once this holds; the signals that it reads are followed until then. */
export function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unfollow = effect(() => {
      if (!holds()) return
      queueMicrotask(() => unfollow())
      resolve()
    })
  })
}
