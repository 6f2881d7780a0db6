import type * as en from "../../../en/app/admin/outstanding.ts"

export const finance: typeof en.finance = {
  title: "Para finanzas",
  lead: "{Units} que tienen las personas. Lo que se puede canjear es lo que debe la empresa.",
  day: "Al final del",
  atEndOf: "Al final del {day}",
  people: "{units} por persona",
  person: "Persona",
  balance: "{Units} pendientes",
  redeemable: "Se puede canjear",
  value: "Valor",
  noValue: "Di en el programa cuánto vale un {unit}, y las cantidades se muestran también en dinero.",
  most: "Quién puede canjear más, al final del {day}",
  byMonth: "Pendiente por mes",
  bars: "{Units} pendientes al final de cada mes, y la parte que se puede canjear",
}
