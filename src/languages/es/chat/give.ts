import type * as en from "../../en/chat/give.ts"

export const giveTexts: typeof en.giveTexts = {
  usage:
    "Escribe `/give @ada 25 por la revisión #cuidado`: una persona, los {units} y, si quieres, un motivo y etiquetas.",
  sending: "Enviando…",
  sent: "Has dado {points} a {name}. Te quedan {left} para dar.",
  noAddress: "{chat} no conoce ningún correo tuyo confirmado. Confírmalo en tu perfil de {chat} e inténtalo de nuevo.",
  unknownSender:
    "Nadie tiene aquí el correo {email} de tu perfil de {chat}. Pide a un administrador que lo ponga en tu cuenta.",
  unknownReceiver: "{name} no tiene cuenta aquí. Elige a alguien de la lista que {chat} muestra después de @.",
  tooLittle: "Tienes {left} para dar. Da menos o espera a tu próxima asignación.",
  noTags: "Aquí no hay etiquetas. No las pongas.",
  unknownTag: "Elige entre estas etiquetas: {tags}",
  badValue: "Da un número entero de {units}, al menos 1.",
  refused: "No se ha enviado nada: {why}",
  notSetUp:
    "No se ha enviado nada: esta aplicación no está configurada del todo. Di a un administrador que use `rewards doctor`.",
  noDialog: "No se ha podido abrir el formulario. Inténtalo de nuevo o escribe `/give @ada 25 por la revisión`.",
  dialog: {
    title: "Dar {units}",
    send: "Dar",
    cancel: "Cancelar",
    to: "Para",
    value: "{Units}",
    reason: "Motivo",
    tags: "Etiquetas",
  },
}
