import { fill } from "../../languages/writing.ts"
import { addresses, recognitionAddress } from "../addresses.ts"
import { choose, isNotifying, isPushed, show } from "../browser-notifications.ts"
import type { Recognition } from "../live.ts"
import { formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/**
 * Shows a notification of points received, if the person wants it and the server does not send it. It never contains a private
 * reason. People see all points that they receive. In a browser that shows none it switches them off.
 */
export function notifyOf(received: Recognition) {
  if (!isNotifying.peek() || isPushed.peek()) return
  const { received: texts, feed } = t()
  const words = received.private ? feed.hidden : (received.reason ?? "")
  const given = fill(texts.arrived, { from: received.from_name, points: formatPoints(received.value ?? 0) })
  // The words of an occasion say everything.
  const [title, body] = received.occasion === null ? [given, words] : [words, ""]
  const shown = show(title, { body, tag: `recognition-${received.id}` })
  if (shown === null) return choose(null)
  shown.onclick = () => {
    focus()
    location.assign(received.private ? addresses.home : recognitionAddress(received.id))
  }
}
