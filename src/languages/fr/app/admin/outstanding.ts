import type * as en from "../../../en/app/admin/outstanding.ts"

export const finance: typeof en.finance = {
  title: "Pour la comptabilité",
  lead: "{Units} que les personnes détiennent. Ce qui peut être échangé est ce que doit l’entreprise.",
  day: "À la fin du",
  atEndOf: "À la fin du {day}",
  people: "{units} par personne",
  person: "Personne",
  balance: "{Units} en circulation",
  redeemable: "Échangeable",
  value: "Valeur",
  noValue: "Dites dans le programme ce que vaut un {unit}, et les montants s’affichent aussi en argent.",
  most: "Qui peut échanger le plus, à la fin du {day}",
  byMonth: "En circulation par mois",
  bars: "{Units} en circulation à la fin de chaque mois, et la part qui peut être échangée",
}
