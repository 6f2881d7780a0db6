import type * as en from "../../en/app/programme-card.ts"

export const programmeCard: typeof en.programmeCard = {
  title: "O programa",
  participation: "Agradeceram neste mês",
  requests: "Pedidos em aberto",
}
