import type * as en from "../../en/mail/rewards.ts"

export const rewardMail: typeof en.rewardMail = {
  request: {
    subject: "{name} pede: {reward}",
    button: "Abrir o pedido",
    text: `{name} ({username}) trocou {points} por {reward}.
{quote}
Atenda ou recuse o pedido aqui:

{url}
`,
  },
  fulfilled: {
    subject: "Seu prêmio: {reward}",
    button: "Ver meus pedidos",
    text: `Olá, {name},

seu pedido de {reward} foi atendido.
{quote}
Todos os seus pedidos:

{url}
`,
  },
  declined: {
    subject: "Seu pedido de {reward} foi recusado",
    button: "Ver meus pedidos",
    text: `Olá, {name},

seu pedido de {reward} foi recusado. Você recebeu de volta {points}.
{quote}
Todos os seus pedidos:

{url}
`,
  },
}
