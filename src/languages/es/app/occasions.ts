import type * as en from "../../en/app/occasions.ts"

export const occasions: typeof en.occasions = {
  title: "Próximamente",
  anniversary: { one: "# año aquí", other: "# años aquí" },
  more: "Ver más",
  firstDay: "Primer día",
  congratulate: "Felicitar",
  congratulatePerson: "Felicitar a {name}",
}
