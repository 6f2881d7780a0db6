import type * as en from "../../en/chat/messages.ts"

export const messages: typeof en.messages = {
  thanked: "{from} dankt {to}",
  others: { one: "# weitere Person", other: "# weitere" },
  each: "je {points}",
  together: "zusammen {points}",
  open: "In {service} öffnen",
  test: "Ein Test von {service}. Anerkennungen erscheinen hier.",
}
