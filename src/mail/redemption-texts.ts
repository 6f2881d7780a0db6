import type { MailLanguage, Redemption } from "../domain/model.ts"

interface Mail {
  readonly subject: string
  readonly text: string
}

/** Mail about redemptions. `url` is where users reach this server. */
interface RedemptionTexts {
  /** To a superuser: somebody asks for a reward. */
  readonly request: (redemption: Redemption, url: string) => Mail
  /** To the member: the request was fulfilled or declined. */
  readonly answer: (redemption: Redemption, name: string, url: string) => Mail
}

const pointsIn = (language: string, one: string, other: string) => {
  let format: Intl.NumberFormat | undefined // on demand, because the first one of a process takes 1 ms and 1.5 MiB
  return (value: number): string => {
    format ??= new Intl.NumberFormat(language)
    return `${format.format(value)} ${value === 1 ? one : other}`
  }
}

/** Text that a person wrote, as a paragraph of its own. */
const quoted = (words: string | null): string => (words === null ? "" : `\n${words.replaceAll(/^/gm, "> ")}\n`)

const en = ((points): RedemptionTexts => ({
  request: ({ name, username, rewardName, cost, comment }, url) => ({
    subject: `${name} asks for ${rewardName}`,
    text: `${name} (${username}) redeemed ${points(cost)} for ${rewardName}.
${quoted(comment)}
Fulfil or decline the request here:

${url}/admin/rewards
`,
  }),
  answer: ({ state, rewardName, cost, answer }, name, url) => {
    const [subject, words] =
      state === "fulfilled"
        ? [`Your reward: ${rewardName}`, `your request for ${rewardName} was fulfilled.`]
        : [
            `Your request for ${rewardName} was declined`,
            `your request for ${rewardName} was declined. You have your ${points(cost)} back.`,
          ]
    return {
      subject,
      text: `Hello ${name},

${words}
${quoted(answer)}
All your requests:

${url}/rewards
`,
    }
  },
}))(pointsIn("en", "point", "points"))

const pt = ((points): RedemptionTexts => ({
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
}))(pointsIn("pt-BR", "ponto", "pontos"))

export const redemptionTexts: Readonly<Record<MailLanguage, RedemptionTexts>> = { en, pt }
