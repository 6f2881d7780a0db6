import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"

/** Runs an act once at a time: a second Enter while it is under way does nothing. */
export function useAct(act: () => Promise<void>) {
  const busy = useSignal(false)
  const isRunning = useRef(false)
  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    busy.value = true
    try {
      await act()
    } finally {
      isRunning.current = false
      busy.value = false
    }
  }
  return { busy, run }
}
