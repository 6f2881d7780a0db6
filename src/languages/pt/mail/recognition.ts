import type * as en from "../../en/mail/recognition.ts"

export const recognitionMail: typeof en.recognitionMail = {
  thanks: { subject: "{from} agradeceu a você: {points}", text: "{from} agradeceu a você com {points}." },
  added: {
    subject: "{from} acrescentou {points} para você",
    text: "{from} concorda com {first} e acrescentou {points} para você.",
    title: "{first}, e mais {points} de {from}",
  },
  push: { thanked: "{from} agradeceu a você", added: "{from} acrescentou {units} para você" },
  digest: {
    day: {
      one: "Você recebeu agradecimentos # vez ontem, com {points}",
      other: "Você recebeu agradecimentos # vezes ontem, com {points}",
    },
    week: {
      one: "Você recebeu agradecimentos # vez na semana passada, com {points}",
      other: "Você recebeu agradecimentos # vezes na semana passada, com {points}",
    },
    nobodySubject: "Sua semana",
    nobody: "Ninguém agradeceu a você na semana passada. Que tal agradecer a alguém?",
    more: { one: "E mais # agradecimento.", other: "E mais # agradecimentos." },
    given: {
      one: "Você agradeceu a outras pessoas # vez na semana passada.",
      other: "Você agradeceu a outras pessoas # vezes na semana passada.",
    },
    givenNone: "Você não agradeceu a ninguém na semana passada.",
    toGive: "Você tem {points} para dar.",
  },
  summary: {
    subject: "Reconhecimento em {month}",
    text: "Em {month}, {senders} a {receivers}: {times}, com {points}.",
    senders: { one: "# pessoa agradeceu", other: "# pessoas agradeceram" },
    receivers: { one: "# pessoa", other: "# pessoas" },
    times: { one: "# vez", other: "# vezes" },
    tags: "Etiquetas mais usadas: {tags}.",
    everybody: "Todos receberam agradecimentos.",
    overlooked: {
      one: "# pessoa não recebeu nenhum agradecimento nesse mês.",
      other: "# pessoas não receberam nenhum agradecimento nesse mês.",
    },
  },
  recap: {
    subjects: [
      "Seu primeiro trimestre de {year}",
      "Seu segundo trimestre de {year}",
      "Seu terceiro trimestre de {year}",
      "Seu quarto trimestre de {year}",
    ],
    received: {
      one: "Nesses três meses você recebeu # agradecimento, de {people}, com {points}.",
      other: "Nesses três meses você recebeu # agradecimentos, de {people}, com {points}.",
    },
    people: { one: "# pessoa", other: "# pessoas" },
    receivedNone: "Nesses três meses ninguém agradeceu a você.",
    given: { one: "Você agradeceu a colegas uma vez.", other: "Você agradeceu a colegas # vezes." },
    givenNone: "Você não agradeceu a ninguém.",
    open: "Ver tudo em uma página",
  },
  team: {
    subject: {
      one: "# pessoa da sua equipe está sem agradecimentos há 30 dias",
      other: "# pessoas da sua equipe estão sem agradecimentos há 30 dias",
    },
    text: "Há 30 dias ou mais, ninguém agradece a:",
    last: "Último agradecimento em {day}.",
    never: "Ainda sem agradecimentos.",
  },
  newcomer: {
    subject: "{name} está aqui há três semanas",
    text: "{name} começou em {day}.",
    thanked: {
      one: "Desde então, {name} recebeu # agradecimento de colegas.",
      other: "Desde então, {name} recebeu # agradecimentos de colegas.",
    },
    nobody: "Ninguém agradeceu a {name} ainda. Que tal começar?",
  },
  open: "Ver o que as pessoas dizem",
  openTeam: "Abrir sua equipe",
  openInsights: "Abrir os indicadores",
  whyRecognition: 'Você recebe este e-mail de {service}. Você pode mudar isso em "Meu perfil".',
  unsubscribe: "Cancelar estes e-mails",
  unsubscribeQuestion: "Parar de receber e-mails sobre reconhecimento?",
  unsubscribeButton: "Cancelar e-mails",
  unsubscribed: 'Você não receberá mais e-mails sobre reconhecimento. Você pode ativá-los de novo em "Meu perfil".',
  badLink: "Este link está incompleto. Copie o link inteiro do e-mail.",
}
