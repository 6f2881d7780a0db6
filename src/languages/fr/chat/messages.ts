import type * as en from "../../en/chat/messages.ts"

export const messages: typeof en.messages = {
  thanked: "{from} a remercié {to}",
  others: { one: "# autre", other: "# autres" },
  each: "{points} chacun",
  together: "{points} en tout",
  open: "Ouvrir dans {service}",
  test: "Un test de {service}. Les remerciements apparaîtront ici.",
}
