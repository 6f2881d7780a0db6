import { details } from "../../../domain/languages/pt/details.ts"
import { groupedPortuguese, inPortuguese } from "../../../support/counted.ts"
import { type ChatTexts, refusalIn } from "./texts.ts"

export const pt: ChatTexts = {
  usage: "Escreva `/give @ada 25 pela revisão #cuidado`: uma pessoa, os pontos e, se quiser, um motivo e etiquetas.",
  sending: "Enviando…",
  sent: (value, name, balance) =>
    `Você deu ${inPortuguese(value, "ponto", "pontos")} a ${name}. Restam ${groupedPortuguese(balance)} para dar.`,
  unknownSender: (chat, email) =>
    email === null
      ? `O ${chat} não conhece um e-mail confirmado seu. Confirme-o no seu perfil do ${chat} e tente de novo.`
      : `Ninguém aqui tem o e-mail ${email} do seu perfil do ${chat}. Peça a um administrador que o cadastre na sua conta.`,
  unknownReceiver: (chat, name) =>
    `${name} não tem conta aqui. Escolha alguém da lista que o ${chat} mostra depois de @.`,
  tooLittle: (balance) => `Você tem ${groupedPortuguese(balance)} para dar. Dê menos ou espere a próxima cota.`,
  unknownTag: (tags) =>
    tags.length === 0
      ? "Aqui não há etiquetas. Deixe-as de fora."
      : `Escolha entre estas etiquetas: ${tags.map((tag) => `#${tag}`).join(" ")}`,
  badValue: "Dê um número inteiro de pontos, no mínimo 1.",
  refused: (error) => `Nada foi enviado: ${refusalIn(details, error)}`,
  notSetUp:
    "Nada foi enviado: este aplicativo não está configurado por completo. Avise um administrador para usar `rewards doctor`.",
  noDialog: "Não foi possível abrir o formulário. Tente de novo ou escreva `/give @ada 25 pela revisão`.",
  dialog: {
    title: "Dar pontos",
    send: "Dar",
    cancel: "Cancelar",
    to: "Para",
    value: "Pontos",
    reason: "Motivo",
    tags: "Etiquetas",
  },
}
