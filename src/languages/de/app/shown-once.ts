import type * as en from "../../en/app/shown-once.ts"

export const shownOnce: typeof en.shownOnce = {
  lead: "Es bleibt hier stehen, bis du es schließt, und lässt sich später nicht nachsehen.",
  copy: "Kopieren",
  copied: "Kopiert",
  close: "Schließen",
}
