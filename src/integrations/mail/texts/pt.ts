import { inPortuguese } from "../../../support/counted.ts"
import { type MailTexts, monthIn, quoted, sumOf } from "./kinds.ts"

const points = (value: number) => inPortuguese(value, "ponto", "pontos")
const times = (number: number) => inPortuguese(number, "vez", "vezes")

export const pt: MailTexts = {
  recognition: {
    thanks: ({ from, addedTo, value }) =>
      addedTo === null
        ? {
            subject: `${from} agradeceu a você: ${points(value)}`,
            paragraphs: [`${from} agradeceu a você com ${points(value)}.`],
          }
        : {
            subject: `${from} acrescentou ${points(value)} para você`,
            paragraphs: [`${from} concorda com ${addedTo} e acrescentou ${points(value)} para você.`],
          },
    quoteTitle: ({ from, addedTo, value }) =>
      addedTo === null ? `${from}: ${points(value)}` : `${addedTo}, e mais ${points(value)} de ${from}`,
    digest: ({ period, thanks }) => {
      const when = period === "day" ? "ontem" : "na semana passada"
      if (thanks.length === 0)
        return {
          subject: "Sua semana",
          paragraphs: ["Ninguém agradeceu a você na semana passada. Que tal agradecer a alguém?"],
        }
      const sentence = `Você recebeu agradecimentos ${times(thanks.length)} ${when}, com ${points(sumOf(thanks))}`
      return { subject: sentence, paragraphs: [`${sentence}.`] }
    },
    more: (number) => `E mais ${inPortuguese(number, "agradecimento", "agradecimentos")}.`,
    given: (number) =>
      number === 0
        ? "Você não agradeceu a ninguém na semana passada."
        : `Você agradeceu a outras pessoas ${times(number)} na semana passada.`,
    toGive: (value) => `Você tem ${points(value)} para dar.`,
    summary: ({ from, month, tags, overlooked }) => ({
      subject: `Reconhecimento em ${monthIn("pt-BR", from)}`,
      paragraphs: [
        `Em ${monthIn("pt-BR", from)}, ${inPortuguese(month.senders, "pessoa agradeceu", "pessoas agradeceram")} a ${inPortuguese(month.receivers, "pessoa", "pessoas")}: ${inPortuguese(month.count, "vez", "vezes")}, com ${points(month.value)}.`,
        ...(tags.length > 0
          ? [`Etiquetas mais usadas: ${tags.map(({ tag, count }) => `${tag} (${count})`).join(", ")}.`]
          : []),
        overlooked === 0
          ? "Todos receberam agradecimentos."
          : `${inPortuguese(overlooked, "pessoa não recebeu", "pessoas não receberam")} nenhum agradecimento nesse mês.`,
      ],
    }),
    open: "Ver o que as pessoas dizem",
    openInsights: "Abrir os indicadores",
    reason: (service) => `Você recebe este e-mail de ${service}. Você pode mudar isso em "Meu perfil".`,
    unsubscribe: "Cancelar estes e-mails",
    unsubscribeQuestion: "Parar de receber e-mails sobre reconhecimento?",
    unsubscribeButton: "Cancelar e-mails",
    unsubscribed: 'Você não receberá mais e-mails sobre reconhecimento. Você pode ativá-los de novo em "Meu perfil".',
    badLink: "Este link está incompleto. Copie o link inteiro do e-mail.",
  },
  redemption: {
    request: ({ name, username, rewardName, cost, comment }, url) => ({
      subject: `${name} pede: ${rewardName}`,
      text: `${name} (${username}) trocou ${points(cost)} por ${rewardName}.
${quoted(comment)}
Atenda ou recuse o pedido aqui:

${url}/admin/rewards
`,
    }),
    answer: ({ state, rewardName, cost, answer }, name, url) => {
      const [subject, words] =
        state === "fulfilled"
          ? [`Seu prêmio: ${rewardName}`, `seu pedido de ${rewardName} foi atendido.`]
          : [
              `Seu pedido de ${rewardName} foi recusado`,
              `seu pedido de ${rewardName} foi recusado. Você recebeu de volta ${points(cost)}.`,
            ]
      return {
        subject,
        text: `Olá, ${name},

${words}
${quoted(answer)}
Todos os seus pedidos:

${url}/rewards
`,
      }
    },
  },
  factorNotice: {
    locale: "pt-BR",
    subject: "Seu segundo fator foi alterado",
    changes: {
      passkey_added: "Uma chave de acesso foi adicionada à sua conta",
      totp_added: "Um aplicativo de códigos foi adicionado à sua conta",
      passkey_removed: "Uma chave de acesso foi removida da sua conta",
      totp_removed: "Um aplicativo de códigos foi removido da sua conta",
      reset: "Um administrador removeu todos os segundos fatores da sua conta",
    },
    text: ({ name, what, when, url }) => `Olá, ${name},

${what} em ${when}.

Se foi você, ou se você pediu, não há nada a fazer. Se não, troque já a sua senha, confira os seus segundos fatores e avise um
administrador:

${url}/me
`,
  },
}
