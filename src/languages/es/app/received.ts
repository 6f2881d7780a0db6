import type * as en from "../../en/app/received.ts"

export const received: typeof en.received = {
  arrived: "{from} te ha dado {points}",
  together: "junto con {names}",
  more: { one: "y # más", other: "y # más" },
  count: "({count} nuevos)",
  dismiss: "Descartar",
  thankBack: "Dar las gracias también",
  sinceLastVisit: "Desde tu última visita",
  newReplies: "Respuestas nuevas",
  newForYou: "Nuevo para ti",
  replied: "{from} ha respondido: {text}",
  added: "{from} ha añadido {points} para ti",
  notify: "Avisarme en este dispositivo",
  notifyText: "Cuando recibas {units} mientras estás en otra cosa.",
  notPermitted: "Tu navegador no muestra avisos de este sitio. Puedes permitirlos en sus ajustes.",
}
