import type * as en from "../../en/app/person.ts"

export const person: typeof en.person = {
  received: "Bekommen",
  given: "Gegeben",
  times: { one: "#-mal", other: "#-mal" },
  edit: "Mein Profil bearbeiten",
  account: "Konto",
  history: "Verlauf",
  nobodyTitle: "Person nicht gefunden",
  nobody: "Niemand hat den Benutzernamen",
  toPeople: "Personen finden",
  inactive: "Nicht mehr aktiv",
  thankedFor: "Am meisten gedankt für",
  thankedBy: { one: "# Person hat in einem Jahr gedankt", other: "# Personen haben in einem Jahr gedankt" },
  words: "Die schönsten Worte",
  about: "Über die Person",
  department: "Abteilung",
  manager: "Vorgesetzt",
  joined: "Dabei seit",
  birthday: "Geburtstag",
}
