import type { PeopleTexts } from "../en/people.ts"

const recognition: PeopleTexts["recognition"] = {
  title: "Anerkennung",
  copy: "Link kopieren",
  copied: "Link kopiert",
  notCopied: "Kopiere die Adresse aus der Adresszeile.",
  share: "Teilen",
  toFeed: "Alle Anerkennungen",
  notFound: "Anerkennung nicht gefunden",
  notFoundText: "Vielleicht ist sie privat, oder der Link ist unvollständig.",
}

const people: PeopleTexts["people"] = {
  title: "Personen",
  search: "Name oder Benutzername",
  searchHint: "Name",
  department: "Abteilung",
  departments: "Alle",
  nobody: "Hier ist niemand.",
  noneFits: "Niemand gefunden für „{text}“.",
  everybody: "Alle zeigen",
  pages: "Seiten",
  first: "Erste Seite",
  next: "Nächste Seite",
  active: "Aktiv",
  inactive: "Deaktiviert",
  whose: "Konten",
  nobodyInactive: "Kein Konto ist deaktiviert.",
}

export const peopleTexts: PeopleTexts = { recognition, people }
