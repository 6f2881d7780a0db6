import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"

/** Leads from the address of a former username to that of the present one. */
export function useMoved(username: string, present: string | undefined, addressOf: (username: string) => string) {
  const { route } = useLocation()
  useEffect(() => {
    if (present !== undefined && present !== username.normalize("NFC")) route(addressOf(present), true)
  }, [present])
}
