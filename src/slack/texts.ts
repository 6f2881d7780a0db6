import type { MailLanguage } from "../domain/model.ts"

interface SlackTexts {
  readonly usage: string
  readonly sending: string
  readonly sent: (value: number, name: string, balance: number) => string
  readonly unknownSender: (email: string | null) => string
  readonly unknownReceiver: (name: string) => string
  readonly tooLittle: (balance: number) => string
  readonly unknownTag: (tags: readonly string[]) => string
  readonly badValue: string
  readonly refused: (detail: string) => string
  readonly notSetUp: string
  readonly noDialog: string
  readonly dialog: {
    readonly title: string
    readonly send: string
    readonly cancel: string
    readonly to: string
    readonly value: string
    readonly reason: string
    readonly tags: string
  }
}

export const slackTexts: Readonly<Record<MailLanguage, SlackTexts>> = {
  en: {
    usage: "Write `/give @ada 25 for the review #care`: a person, the points, and if you like a reason and tags.",
    sending: "Sending…",
    sent: (value, name, balance) =>
      `You gave ${name} ${value} ${value === 1 ? "point" : "points"}. You have ${balance} left.`,
    unknownSender: (email) =>
      email === null
        ? "Slack knows no confirmed e-mail address of yours. Confirm it in your Slack profile, then try again."
        : `Nobody here has the e-mail address ${email} of your Slack profile. Ask an administrator to enter it in your account.`,
    unknownReceiver: (name) => `${name} has no account here. Choose somebody from the list that Slack shows after @.`,
    tooLittle: (balance) => `You have ${balance} to give. Give less, or wait for your next budget.`,
    unknownTag: (tags) =>
      tags.length === 0
        ? "There are no tags here. Leave them out."
        : `Choose among these tags: ${tags.map((tag) => `#${tag}`).join(" ")}`,
    badValue: "Give a whole number of points, at least 1.",
    refused: (detail) => `Nothing was sent: ${detail}`,
    notSetUp: "Nothing was sent: this app is not set up completely. Tell an administrator to run `rewards doctor`.",
    noDialog: "The form could not be opened. Try again, or write `/give @ada 25 for the review`.",
    dialog: {
      title: "Give points",
      send: "Give",
      cancel: "Cancel",
      to: "To",
      value: "Points",
      reason: "For what",
      tags: "Tags",
    },
  },
  pt: {
    usage: "Escreva `/give @ada 25 pela revisão #cuidado`: uma pessoa, os pontos e, se quiser, um motivo e etiquetas.",
    sending: "Enviando…",
    sent: (value, name, balance) =>
      `Você deu ${value} ${value === 1 ? "ponto" : "pontos"} a ${name}. Restam ${balance}.`,
    unknownSender: (email) =>
      email === null
        ? "O Slack não conhece um e-mail confirmado seu. Confirme-o no seu perfil do Slack e tente de novo."
        : `Ninguém aqui tem o e-mail ${email} do seu perfil do Slack. Peça a um administrador que o cadastre na sua conta.`,
    unknownReceiver: (name) => `${name} não tem conta aqui. Escolha alguém da lista que o Slack mostra depois de @.`,
    tooLittle: (balance) => `Você tem ${balance} para dar. Dê menos ou espere a próxima verba.`,
    unknownTag: (tags) =>
      tags.length === 0
        ? "Aqui não há etiquetas. Deixe-as de fora."
        : `Escolha entre estas etiquetas: ${tags.map((tag) => `#${tag}`).join(" ")}`,
    badValue: "Dê um número inteiro de pontos, no mínimo 1.",
    refused: (detail) => `Nada foi enviado: ${detail}`,
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
  },
}
