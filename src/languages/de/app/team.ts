import type * as en from "../../en/app/team.ts"

export const team: typeof en.team = {
  title: "Mein Team",
  summary: "In den letzten 30 Tagen gedankt: {thanked} von {all}",
  whom: "Wen zeigen",
  depths: { direct: "Direkt unterstellt", all: "Alle unter mir" },
  waiting: "Seit 30 Tagen ohne Dank",
  thanked: "In den letzten 30 Tagen gedankt",
  reportsTo: "unterstellt: {name}",
  joined: "hier seit {day}",
  lastThanked: "Zuletzt gedankt",
  never: "noch nie",
  received: "Bekommen",
  given: "Gegeben",
  nothing: "nichts in 30 Tagen",
  thank: "Danken",
  thankPerson: "{name} danken",
  more: "Mehr zeigen",
  empty: "Dir ist niemand unterstellt. Wer die Konten verwaltet, kann das eintragen.",
  everybody: "Alle zeigen",
}
