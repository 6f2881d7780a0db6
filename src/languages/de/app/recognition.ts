import type * as en from "../../en/app/recognition.ts"

export const recognition: typeof en.recognition = {
  title: "Anerkennung",
  copy: "Link kopieren",
  copied: "Link kopiert",
  notCopied: "Kopiere die Adresse aus der Adresszeile.",
  share: "Teilen",
  toFeed: "Alle Anerkennungen",
  notFound: "Anerkennung nicht gefunden",
  notFoundText: "Vielleicht ist sie privat, oder der Link ist unvollständig.",
}
