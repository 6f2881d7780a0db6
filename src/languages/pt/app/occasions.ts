import type * as en from "../../en/app/occasions.ts"

export const occasions: typeof en.occasions = {
  title: "Em breve",
  anniversary: { one: "# ano de casa", other: "# anos de casa" },
  more: "Mostrar mais",
  firstDay: "Primeiro dia",
  congratulate: "Dar parabéns",
  congratulatePerson: "Dar parabéns a {name}",
}
