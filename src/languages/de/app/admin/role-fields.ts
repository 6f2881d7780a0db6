import type * as en from "../../../en/app/admin/role-fields.ts"

export const roles: typeof en.roles = {
  manager: "Unterstellt",
  nobody: "Niemandem",
  duties: "Aufgaben",
  dutiesText: "Was diese Person betreut, ohne Superuser zu sein.",
  names: { insights: "Auswertung", rewards: "Prämien", people: "Personen", programme: "Programm" },
  texts: {
    insights: "Liest Auswertungen, Ausstehendes und die Dateien für die Buchhaltung.",
    rewards: "Pflegt den Katalog und beantwortet Anfragen.",
    people: "Legt Konten an, berichtigt und deaktiviert sie, außer denen von Superusern.",
    programme: "Legt Regeln des Gebens, Kontingente, Anlässe und Abteilungen fest.",
  },
}
