import type * as en from "../../en/app/occasions.ts"

export const occasions: typeof en.occasions = {
  title: "Demnächst",
  anniversary: { one: "# Jahr hier", other: "# Jahre hier" },
  more: "Mehr zeigen",
  firstDay: "Erster Tag",
  congratulate: "Gratulieren",
  congratulatePerson: "{name} gratulieren",
}
