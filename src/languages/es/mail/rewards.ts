import type * as en from "../../en/mail/rewards.ts"

export const rewardMail: typeof en.rewardMail = {
  request: {
    subject: "{name} pide: {reward}",
    button: "Abrir la solicitud",
    text: `{name} ({username}) ha canjeado {points} por {reward}.
{quote}
Atiende o rechaza la solicitud aquí:

{url}
`,
  },
  fulfilled: {
    subject: "Tu premio: {reward}",
    button: "Ver mis solicitudes",
    text: `Hola, {name}:

tu solicitud de {reward} se ha atendido.
{quote}
Todas tus solicitudes:

{url}
`,
  },
  declined: {
    subject: "Se ha rechazado tu solicitud de {reward}",
    button: "Ver mis solicitudes",
    text: `Hola, {name}:

tu solicitud de {reward} se ha rechazado. Has recuperado {points}.
{quote}
Todas tus solicitudes:

{url}
`,
  },
}
