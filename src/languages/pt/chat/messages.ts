import type * as en from "../../en/chat/messages.ts"

export const messages: typeof en.messages = {
  thanked: "{from} agradeceu a {to}",
  others: { one: "mais # pessoa", other: "mais # pessoas" },
  each: "{points} para cada pessoa",
  together: "{points} no total",
  open: "Abrir em {service}",
  test: "Um teste de {service}. Os reconhecimentos aparecerão aqui.",
}
