import type * as en from "../../../en/app/admin/administration.ts"

export const admin: typeof en.admin = {
  people: "Personen",
  points: "{Units}",
  server: "Server",
  find: "Eine Person nach Namen suchen",
  create: "Person anlegen",
  createLead: "Ein Konto mit einem ersten Passwort",
  inviteLead: "Ein Konto, und eine Einladung per E-Mail",
  import: "Aus einer Datei importieren",
  importLead: "Viele Personen auf einmal anlegen oder aktualisieren und per E-Mail einladen",
  download: "Herunterladen",
  downloadPeople: "Alle mit ihren Guthaben, als Datei für Tabellen",
  downloadTransactions: "Jede Transaktion, als Datei für Tabellen",
  allowances: "Kontingente",
  programme: "Programm",
  programmeLead: "Regeln des Gebens, Schlagwörter, was alle sehen, Anlässe",
  insights: "Auswertung",
  insightsLead: "Wer mitmacht, wer übersehen wird, wer wem dankt",
  allowancesLead: "{Units}, die jeden Tag, jede Woche, jeden Monat oder jedes Quartal ausgezahlt werden",
  grant: "Vielen geben",
  grantLead:
    "Eine Zuteilung zum Weitergeben: Gib auf dem Start mehrere Namen oder eine Abteilung ein. Entweder bekommen es alle oder niemand",
  history: "Alle Transaktionen",
  historyLead: "Wer wem was gegeben hat, und wann",
  leavers: "Ausgeschiedene",
  leaversLead: "Konten, die deaktiviert wurden",
}
