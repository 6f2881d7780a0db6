import type * as en from "../../en/app/shown-once.ts"

export const shownOnce: typeof en.shownOnce = {
  lead: "Cela reste ici jusqu’à ce que vous le fermiez et ne pourra plus être consulté.",
  copy: "Copier",
  copied: "Copié",
  close: "Fermer",
}
