import { useEffect } from "preact/hooks"

/** Keeps the screen on while the page is seen, where the browser knows how to and may. */
export function useAwake() {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let hasLeft = false
    const hold = async () => {
      if (document.hidden || !("wakeLock" in navigator)) return
      // Refused on low battery, say: the screen then does as it is set to.
      const held = await navigator.wakeLock.request("screen").catch(() => null)
      if (hasLeft) void held?.release()
      else lock = held
    }
    void hold()
    document.addEventListener("visibilitychange", hold)
    return () => {
      hasLeft = true
      document.removeEventListener("visibilitychange", hold)
      void lock?.release()
    }
  }, [])
}
