import { signal } from "@preact/signals"

const media = matchMedia("(width < 40rem)")

/** Whether the window is as narrow as a phone. */
export const isPhone = signal(media.matches)
media.addEventListener("change", () => {
  isPhone.value = media.matches
})
