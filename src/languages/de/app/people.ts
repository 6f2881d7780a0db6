import type * as en from "../../en/app/people.ts"

export const people: typeof en.people = {
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
