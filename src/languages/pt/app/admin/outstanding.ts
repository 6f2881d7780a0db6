import type * as en from "../../../en/app/admin/outstanding.ts"

export const finance: typeof en.finance = {
  title: "Para o financeiro",
  lead: "{Units} que as pessoas têm. O que pode ser resgatado é o que a empresa deve.",
  day: "No fim do dia",
  atEndOf: "No fim do dia {day}",
  people: "{units} por pessoa",
  person: "Pessoa",
  balance: "{Units} em aberto",
  redeemable: "Resgatáveis",
  value: "Valor",
  noValue: "Informe no programa quanto vale 1 {unit} para ver os valores também em dinheiro.",
  most: "Quem pode resgatar mais, no fim do dia {day}",
  byMonth: "Em aberto por mês",
  bars: "{Units} em aberto no fim de cada mês, e a parte que pode ser resgatada",
}
