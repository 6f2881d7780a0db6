import type * as en from "../../en/chat/give.ts"

export const giveTexts: typeof en.giveTexts = {
  usage: "Escreva `/give @ada 25 pela revisão #cuidado`: uma pessoa, os {units} e, se quiser, um motivo e etiquetas.",
  sending: "Enviando…",
  sent: "Você deu {points} a {name}. Restam {left} para dar.",
  noAddress: "O {chat} não conhece um e-mail confirmado seu. Confirme-o no seu perfil do {chat} e tente de novo.",
  unknownSender:
    "Ninguém aqui tem o e-mail {email} do seu perfil do {chat}. Peça a um administrador que o cadastre na sua conta.",
  unknownReceiver: "{name} não tem conta aqui. Escolha alguém da lista que o {chat} mostra depois de @.",
  tooLittle: "Você tem {left} para dar. Dê menos ou espere a próxima cota.",
  noTags: "Aqui não há etiquetas. Deixe-as de fora.",
  unknownTag: "Escolha entre estas etiquetas: {tags}",
  badValue: "Dê um número inteiro de {units}, no mínimo 1.",
  refused: "Nada foi enviado: {why}",
  notSetUp:
    "Nada foi enviado: este aplicativo não está configurado por completo. Avise um administrador para usar `rewards doctor`.",
  noDialog: "Não foi possível abrir o formulário. Tente de novo ou escreva `/give @ada 25 pela revisão`.",
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
