import type * as en from "../../en/chat/messages.ts"

export const messages: typeof en.messages = {
  thanked: "{from} ha dado las gracias a {to}",
  others: { one: "# persona más", other: "# personas más" },
  each: "{points} para cada uno",
  together: "{points} en total",
  open: "Abrir en {service}",
  test: "Una prueba de {service}. Los reconocimientos aparecerán aquí.",
}
