import type * as en from "../../en/app/received.ts"

export const received: typeof en.received = {
  arrived: "{from} deu {points} para você",
  together: "junto com {names}",
  more: { one: "e mais #", other: "e mais #" },
  count: "(novos: {count})",
  dismiss: "Dispensar",
  thankBack: "Retribuir",
  sinceLastVisit: "Desde a sua última visita",
  newReplies: "Novas respostas",
  newForYou: "Novidades para você",
  replied: "{from} respondeu: {text}",
  added: "{from} acrescentou {points} para você",
  notify: "Avisar neste aparelho",
  notifyText: "Quando você receber {units} enquanto estiver em outro lugar.",
  notPermitted: "O seu navegador não mostra notificações deste site. Talvez as configurações dele permitam.",
}
