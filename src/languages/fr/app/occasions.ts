import type * as en from "../../en/app/occasions.ts"

export const occasions: typeof en.occasions = {
  title: "À venir",
  anniversary: { one: "# an ici", other: "# ans ici" },
  more: "Afficher plus",
  firstDay: "Premier jour",
  congratulate: "Féliciter",
  congratulatePerson: "Féliciter {name}",
}
