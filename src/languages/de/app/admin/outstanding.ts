import type * as en from "../../../en/app/admin/outstanding.ts"

export const finance: typeof en.finance = {
  title: "Für die Buchhaltung",
  lead: "{Units}, die Personen haben. Was eingelöst werden kann, schuldet die Firma.",
  day: "Am Ende von",
  atEndOf: "Am Ende von {day}",
  people: "{units} je Person",
  person: "Person",
  balance: "Ausstehende {units}",
  redeemable: "Einlösbar",
  value: "Wert",
  noValue: "Sag im Programm, was ein {unit} wert ist, dann stehen die Beträge auch in Geld da.",
  most: "Wer am meisten einlösen kann, am Ende von {day}",
  byMonth: "Ausstehend nach Monat",
  bars: "Ausstehende {units} am Ende jedes Monats, und der Teil, der eingelöst werden kann",
}
