import { inEnglish, inPortuguese } from "../counted.ts"
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

/** Text that a person wrote, as a paragraph of its own. */
const quoted = (words: string | null): string => (words === null ? "" : `\n${words.replaceAll(/^/gm, "> ")}\n`)

const en: RedemptionTexts = {
  request: ({ name, username, rewardName, cost, comment }, url) => ({
    subject: `${name} asks for ${rewardName}`,
    text: `${name} (${username}) redeemed ${inEnglish(cost, "point", "points")} for ${rewardName}.
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
            `your request for ${rewardName} was declined. You have your ${inEnglish(cost, "point", "points")} back.`,
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
}

const pt: RedemptionTexts = {
  request: ({ name, username, rewardName, cost, comment }, url) => ({
    subject: `${name} pede: ${rewardName}`,
    text: `${name} (${username}) trocou ${inPortuguese(cost, "ponto", "pontos")} por ${rewardName}.
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
            `seu pedido de ${rewardName} foi recusado. Você recebeu de volta ${inPortuguese(cost, "ponto", "pontos")}.`,
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
}

export const redemptionTexts: Readonly<Record<MailLanguage, RedemptionTexts>> = { en, pt }
